// Fixes: the hints of the messages that name types, and those of the parser.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// fix is one row of the table: what a message looks like, and what to try. In the text $1 is the first group; a text
// that needs more than the message is made by a function.
type fix struct {
	msg  *regexp.Regexp
	text string
	make func(a *attempt, te types.Error, m []string) string
}

const theContext = "the context of the session is ctx"

var fixes = []fix{
	{msg: regexp.MustCompile(`does not match (?:inferred type )?(func\(.*)`), make: (*attempt).fixFunc},
	{msg: regexp.MustCompile(`\(value of type func\(.*\) as (func\(.*) value in `), make: (*attempt).fixFunc},
	{msg: regexp.MustCompile(`^in call to (\S+), type .* does not match (\w+)\[`), make: (*attempt).fixFunction},
	{msg: regexp.MustCompile(`^in call to (\S+), cannot infer `), text: "say the type in brackets, as in $1[string](...)"},
	{msg: regexp.MustCompile(`^cannot use generic (?:function|type) (\S+) without instantiation`), make: (*attempt).fixGeneric},
	{msg: regexp.MustCompile(` (?:does not satisfy|not) comparable`), text: "a key must be comparable: text, a number, or a struct or array of such"},
	{msg: regexp.MustCompile(` as Stream\[(.+)\] value in argument to `), text: "the streams must have one element type: Map this one to $1 first"},
	{msg: regexp.MustCompile(`type (\*?)(\w+)\[(.+)\]\) as (\*?)(\w+)\[(.+)\] value in `), make: fixArgument},
	{msg: regexp.MustCompile(`^cannot use "(?:.*) as context\.Context value in argument to (\S*?\.?)(Execute\w*):`), text: "the context comes first: $2(ctx, JobName(...))"},
	{msg: regexp.MustCompile(`^cannot use .* as context\.Context value in argument to (?:\S*\.)?(\w+):`), text: "the context comes first: $1(ctx, ...)"},
	{msg: regexp.MustCompile(`\(value of type func\(.*\) as (\w+)\[.*\] value in argument to .*missing method (\w+)\)`), text: "it must be an object with method $2, see :doc $1"},
	{msg: regexp.MustCompile(`^cannot use (.+) \(.* of (?:\w+ )?type (\S+)\) as (\S+) value in `), make: fixPointer},
	{msg: regexp.MustCompile(`does not implement .* \(missing method (\w+)\)`), make: (*attempt).fixMissing},
	{msg: regexp.MustCompile(`\(method (\w+) has pointer receiver\)`), text: "take the address: its method $1 belongs to the pointer"},
	{msg: regexp.MustCompile(`^cannot use .* as \w+ value in .* \(truncated\)`), text: "it is not a whole number: use float64, or round it"},
	{msg: regexp.MustCompile(`^cannot use -.* as (uint\w*|byte) value in .* \(overflows\)`), text: "$1 holds no negative number: use int"},
	{msg: regexp.MustCompile(`^cannot use .* as (u?int(?:64)?) value in .* \(overflows\)`), text: "it does not fit in $1: use uint64, float64 or a big.Int"},
	{msg: regexp.MustCompile(`^cannot use .* as (\w+) value in .* \(overflows\)`), text: "it does not fit in $1: use a bigger type, such as int"},
	{msg: regexp.MustCompile(`^cannot use '(\pL)' \(untyped rune constant \d+\) as string value`), text: `write it in double quotes: "$1"`},
	{msg: regexp.MustCompile(`^cannot use "(-?\d+)" \(untyped string constant\) as u?int\d* value`), text: "leave the quotes away: $1"},
	{msg: regexp.MustCompile(`^cannot use "(-?\d+(?:\.\d+)?)" \(untyped string constant\) as float\d+ value`), text: "leave the quotes away: $1"},
	{msg: regexp.MustCompile(`^in call to \S*?(\w+), mismatched types .*\(cannot infer \w+`), text: "give them one type, or say it in brackets, as in $1[any](...)"},
	{msg: regexp.MustCompile(`\(mismatched types string and untyped nil\)|\(mismatched types untyped nil and string\)`), text: `a string is never nil: compare it with ""`},
	{msg: regexp.MustCompile(`^cannot use nil as (\w+) value`), text: "$1 is never nil: use its zero value"},
	{msg: regexp.MustCompile(`^func\(.*\(type\) is not an expression`), text: functionLiteral},
	{msg: regexp.MustCompile(`^not enough arguments in call to (\S+)\s+have \(\)\s+want \(context\.Context`), text: theContext + ": $1(ctx)"},
	{msg: regexp.MustCompile(`^invalid operation: cannot call (\S+) \(value of type \S+\)`), text: "it is a value: write $1 without ()"},
	{msg: regexp.MustCompile(`^(.+) \((?:value|variable|constant) .*\) is not used$`), make: (*attempt).fixUnused},
	{msg: regexp.MustCompile(`^(\d*\.\d+) \(untyped float constant\) truncated to int64$`), make: (*attempt).fixDuration},
	{msg: regexp.MustCompile(`^missing return$`), make: (*attempt).fixReturn},
	{msg: regexp.MustCompile(`^append\((\w+), .*\) \(value of .*is not used$`), text: "append gives the longer slice: $1 = append($1, ...)"},
	{msg: regexp.MustCompile(`^(\w+) == .* is not used$`), text: "== compares; write $1 = to assign"},
	{msg: regexp.MustCompile(`^non-boolean condition in (\w+) statement`), text: "a condition is a bool: compare it, as in x != 0"},
	{msg: regexp.MustCompile(`operator ! not defined on (\w+) `), text: "! is for bools: compare, as in $1 == 0"},
	{msg: regexp.MustCompile(`^cannot assign to struct field (\w+)\[.*\]\.(\w+) in map`), text: "change a copy and put it back: v := $1[key]; v.$2 = ...; $1[key] = v"},
	{msg: regexp.MustCompile(`^no new variables on left side of :=`), text: "the variable exists: write = to assign to it"},
	{msg: regexp.MustCompile(`^invalid operation: (\w+) .* is not an interface$`), text: "the type of $1 is known already: assertions are for interfaces"},
}

// fixed is the hint of the first row that matches; empty: there is none.
func (a *attempt) fixed(te types.Error) string {
	msg := a.c.plain(te.Msg)
	for _, f := range fixes {
		m := f.msg.FindStringSubmatchIndex(msg)
		if m == nil {
			continue
		}
		hint := string(f.msg.ExpandString(nil, f.text, msg, m))
		if f.make != nil {
			hint = f.make(a, te, f.msg.FindStringSubmatch(msg))
		}
		if hint != "" {
			return hint
		}
	}
	return ""
}

var wanted = regexp.MustCompile(`^func\((.*?)\)(?: (.+?))?(?: \(cannot infer .*\)?)?$`)

// fixFunc says what a function must take and give.
func (a *attempt) fixFunc(_ types.Error, m []string) string {
	sig, _, _ := strings.Cut(m[1], " for func(") // the generic form
	w := wanted.FindStringSubmatch(sig)
	if w == nil {
		return ""
	}
	gives := "give " + w[2]
	switch {
	case w[2] == "" || strings.HasPrefix(w[2], "(cannot infer"):
		gives = "give nothing"
	case len(w[2]) <= 3 && strings.ToUpper(w[2]) == w[2]: // a type parameter
		gives = "give one result, of any type"
	}
	return fmt.Sprintf("the function must take (%s) and %s", w[1], gives)
}

// fixFunction is for a function object that is none: by its value, or without the method.
func (a *attempt) fixFunction(te types.Error, m []string) string {
	if a.c.lib == nil {
		return ""
	}
	tn, _ := a.c.lib.Scope().Lookup(m[2]).(*types.TypeName)
	x := a.exprAt(te.Pos)
	if tn == nil || x == nil {
		return ""
	}
	it, ok := tn.Type().Underlying().(*types.Interface)
	t := a.info.Types[x].Type
	if !ok || t == nil {
		return ""
	}
	for i := range it.NumMethods() {
		name := it.Method(i).Name()
		if o, _, _ := types.LookupFieldOrMethod(t, false, a.c.pkg, name); o != nil {
			continue
		}
		if o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, a.c.pkg, name); o != nil {
			return "pass a pointer: &" + types.ExprString(x)
		}
		return fmt.Sprintf("%s has no method %s; :doc %s says what it must be", a.c.TypeString(t), name, m[2])
	}
	return fmt.Sprintf(":doc %s says what the methods must take and give", m[2])
}

// exprAt is the largest expression that begins at pos and has a type.
func (a *attempt) exprAt(pos token.Pos) (found ast.Expr) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && found == nil && x.Pos() == pos && a.info.Types[x].Type != nil {
			found = x
		}
		return found == nil
	})
	return found
}

// fixArgument is for G[A] in the place of G[B].
func fixArgument(_ *attempt, _ types.Error, m []string) string {
	switch {
	case m[2] != m[5]:
		return ""
	case m[3] != m[6]:
		return fmt.Sprintf("it must be of %s: write [%s] in the brackets", m[6], m[6])
	case m[4] != "":
		return fmt.Sprintf("it is no pointer: leave the * before %s[%s] away", m[2], m[3])
	}
	return ""
}

func fixPointer(_ *attempt, _ types.Error, m []string) string {
	x, from, to := m[1], m[2], m[3]
	if len(x) > 30 {
		x = "x"
	}
	switch {
	case to == "*"+from:
		return "take its address: &" + x
	case from == "*"+to && strings.HasPrefix(x, "&"):
		return "leave the & away: " + x[1:]
	case from == "*"+to:
		return "take what it points to: *" + x
	case from == "[]byte" && to == "string", from == "string" && to == "[]byte":
		return fmt.Sprintf("convert it: %s(%s)", to, x)
	}
	return ""
}

func (a *attempt) fixMissing(te types.Error, m []string) string {
	x := a.exprAt(te.Pos)
	if x == nil {
		return ""
	}
	t := a.info.Types[x].Type
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); !ok || n.Obj().Pkg() != a.c.pkg {
		return ""
	}
	return fmt.Sprintf("declare the method: func (x %s) %s...", a.c.TypeString(a.info.Types[x].Type), m[1])
}

// fixReturn says what the function gives.
func (a *attempt) fixReturn(te types.Error, _ []string) (hint string) {
	a.eachBody(func(ft *ast.FuncType, body *ast.BlockStmt) {
		if body.Rbrace != te.Pos || ft.Results == nil {
			return
		}
		var types []string
		for _, f := range ft.Results.List {
			if s, ok := a.info.Types[f.Type]; ok {
				types = append(types, a.c.TypeString(s.Type))
			}
		}
		hint = "end every way through it with a return of " + strings.Join(types, ", ")
	})
	return hint
}

// fixUnused is for a function that ends with its result and does not return it.
func (a *attempt) fixUnused(te types.Error, m []string) (hint string) {
	a.eachBody(func(ft *ast.FuncType, body *ast.BlockStmt) {
		if len(body.List) == 0 || ft.Results == nil {
			return
		}
		if last, ok := body.List[len(body.List)-1].(*ast.ExprStmt); ok && last.X.Pos() == te.Pos {
			hint = "give it back: return " + m[1]
		}
	})
	return hint
}

// eachBody calls f with the type and the body of each function of the cell, literals included.
func (a *attempt) eachBody(f func(*ast.FuncType, *ast.BlockStmt)) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				f(n.Type, n.Body)
			}
		case *ast.FuncLit:
			f(n.Type, n.Body)
		}
		return true
	})
}

// fixDuration is for a fraction of a unit of time.
func (a *attempt) fixDuration(te types.Error, m []string) (hint string) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.MUL && (b.X.Pos() == te.Pos || b.Y.Pos() == te.Pos) &&
			(isDuration(a.info.Types[b.X].Type) || isDuration(a.info.Types[b.Y].Type)) {
			hint = "a duration is a whole number: take a smaller unit, as in 1500 * time.Millisecond"
		}
		return hint == ""
	})
	return hint
}

// slip is a mistake that is known by what the parser says and the line says.
type slip struct {
	msg, line *regexp.Regexp
	hint      string
}

// slips are the mistakes against Go's syntax; see also habits.
var slips = []slip{
	{regexp.MustCompile(`illegal rune literal|more than one character in rune literal`), regexp.MustCompile(`'`), `text stands in double quotes: "abc"`},
	{regexp.MustCompile(`U\+003F '\?'`), regexp.MustCompile(`\?`), "Go has no ?: write if and else"},
	{regexp.MustCompile(`found 'else'`), regexp.MustCompile(`^\s*else`), "else must stand on the line of the } before it"},
	{regexp.MustCompile(`expected ';'`), regexp.MustCompile(`^\s*while\b`), "loops are written with for: for x > 0 { ... }"},
	{regexp.MustCompile(`unexpected comma; expecting \]`), regexp.MustCompile(`=\s*\[`), "a list begins with its type: []int{1, 2, 3}"},
	{regexp.MustCompile(`expected operand, found '\{'`), regexp.MustCompile(`=\s*\{`), "a literal begins with its type, as in map[string]int{}"},
	{regexp.MustCompile(`found assignment`), regexp.MustCompile(`\bif\b`), "= assigns; == compares"},
	{regexp.MustCompile(`expected selector or type assertion, found '(map|range|select|switch|type|func)'`), regexp.MustCompile(`\.`), "methods begin with a capital, as in Map"},
	{regexp.MustCompile(`found '\.'`), regexp.MustCompile(`^\s*\.`), "end the line above with the dot, or paste the chain as one cell"},
	{regexp.MustCompile(`expected 1 expression`), regexp.MustCompile(`,`), "a cell shows one value: write each on its own line, or fmt.Println(a, b)"},
	{regexp.MustCompile(`has no body`), regexp.MustCompile(``), "the { must stand on the line of the func"},
}

// syntaxHint is the hint for an error of the parser.
func (e *Error) syntaxHint() *Error {
	for _, s := range append(slips[:len(slips):len(slips)], habits...) {
		if s.msg.MatchString(e.Msg) && s.line.MatchString(e.Source) {
			e.Hint = s.hint
			break
		}
	}
	return e
}
