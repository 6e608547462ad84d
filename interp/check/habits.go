// Habits: what those type who know Flink by its Java API, or another language than Go.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// flinkNames say what to write for names that only the Java API has.
var flinkNames = map[string]string{
	"Time":     "a duration is written with package time: 5 * time.Second",
	"Duration": "a duration is written with package time: 5 * time.Second",
	"System":   "print with fmt.Println",
}

// flinkMembers map methods of the Java API to those that do the same here.
var flinkMembers = map[string]string{"FromCollection": "FromSlice", "FromParallelCollection": "FromParallelSeq"}

// hintHabit is for an undefined name; empty: it is no habit.
func (a *attempt) hintHabit(pos token.Pos, name string, qualifier bool) string {
	if m := a.methodOfEnv(pos, upper(name)); m != "" && !qualifier {
		return fmt.Sprintf("did you mean env.%s?", m)
	}
	if h := flinkNames[name]; h != "" {
		return h
	}
	if short := strings.TrimSuffix(name, "Windows"); short != name && a.libraryFunc(short) {
		return fmt.Sprintf("the assigner is made by %s(...)", short)
	}
	return ""
}

// methodOfEnv is name if the predeclared env, which must be visible at pos, has a method of that name.
func (a *attempt) methodOfEnv(pos token.Pos, name string) string {
	env := a.c.base["env"]
	if env == nil {
		return ""
	}
	if s := a.scopeAt(pos); s != nil {
		if _, o := s.LookupParent("env", pos); o != nil && !types.Identical(o.Type(), env.Type()) {
			return ""
		}
	}
	for _, m := range append([]string{name}, flinkMembers[name]) {
		if o, _, _ := types.LookupFieldOrMethod(env.Type(), true, a.c.pkg, m); m != "" && o != nil {
			return m
		}
	}
	return ""
}

func (a *attempt) libraryFunc(name string) bool {
	if a.c.lib == nil || !token.IsExported(name) {
		return false
	}
	_, ok := a.c.lib.Scope().Lookup(name).(*types.Func)
	return ok
}

// assigns reports whether the name at pos is what a statement assigns to.
func (a *attempt) assigns(pos token.Pos) (yes bool) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			for _, l := range as.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Pos() == pos {
					yes = true
				}
			}
		}
		return !yes
	})
	return yes
}

// hintFlinkMember is for x.name, where x is of type t and names are the members of t.
func (a *attempt) hintFlinkMember(t types.Type, name string, names []string) string {
	if n := libraryNamed(t); n != nil && n.Obj().Name() == "StreamExecutionEnvironment" && strings.HasSuffix(name, "Environment") {
		return "the environment of the session is env; NewEnv() makes another one"
	}
	want := flinkMembers[upper(name)]
	if short := strings.TrimPrefix(upper(name), "Get"); want == "" && short != upper(name) && short != "" {
		want = short
	}
	for _, n := range names {
		if n == want {
			return fmt.Sprintf("did you mean %s?", n)
		}
	}
	return ""
}

// fixGeneric is for a generic type or function that stands without types. What the Java API has as a static method of
// a type is a function here.
func (a *attempt) fixGeneric(te types.Error, m []string) (hint string) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.X.Pos() == te.Pos && a.libraryFunc(upper(sel.Sel.Name)) {
			hint = fmt.Sprintf("it is a function: %s[T](...)", upper(sel.Sel.Name))
		}
		return hint == ""
	})
	if hint == "" {
		hint = fmt.Sprintf("say the type in brackets, as in %s[string]", m[1])
	}
	return hint
}

const functionLiteral = "a function is written func(x T) R { return ... }; Tab after the ( fills in the types"

// habits are the marks of other languages, by what the parser says and the line says.
var habits = []slip{
	{regexp.MustCompile(`found '>'|expected ';', found '-'`), regexp.MustCompile(`->`), functionLiteral},
	{regexp.MustCompile(`found '='|found '>'`), regexp.MustCompile(`=>`), functionLiteral},
	{regexp.MustCompile(`missing ','|found `), regexp.MustCompile(`\blambda\b`), functionLiteral},
	{regexp.MustCompile(`missing import path`), regexp.MustCompile(`^\s*import\s+(static\s+)?\w+\.`), "the API and the standard library are there without an import"},
	{regexp.MustCompile(`found `), regexp.MustCompile(`\bfor\s+\w+(\s*,\s*\w+)?\s+in\b`), "a loop over elements is written for _, x := range xs { ... }"},
	{regexp.MustCompile(`found `), regexp.MustCompile(`\bfor\s*\(`), "a loop has no parentheses: for i := 0; i < n; i++ { ... }"},
	{regexp.MustCompile(`found `), regexp.MustCompile(`\bnew\s+[A-Z]`), "Go has no new T(...): write T{...}, or call the function that makes one"},
	{regexp.MustCompile(`expected ';'`), regexp.MustCompile(`^\s*(def|fun|function|fn|public|private|static)\s`), "a function is declared by func f(x int) string { ... }"},
	{regexp.MustCompile(`expected ';'`), regexp.MustCompile(`^\s*(final\s+)?[\pL_][\w<>\[\], ]*\s+\w+\s*=[^=]`), "a variable is declared by name := value"},
}
