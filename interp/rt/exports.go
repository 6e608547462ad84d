package rt

import (
	"fmt"
	"go/types"
	"iter"
	"maps"
	"reflect"
	"runtime"

	"flinkish/dataflow"
)

// Exports lists what lowered code calls as rtǃ.Name.
func (r *Runtime) Exports() map[string]reflect.Value {
	m := map[string]any{
		// values and types
		"Box": Box, "Unbox": Unbox, "Is": Is, "IsRaw": IsRaw, "Equal": Equal, "Find": r.find, "Resigned": resigned, "As": As, "ErrorIs": errorIs, "AsAny": asAny,
		"AssertError": AssertError, "AsError": AsError, "Wrap": r.wrap, "StdVar": r.stdVar, "Conv": Conv, "Bound": bound, "Index": index, "IndexU": indexU, "Cut": cut, "KeyOf": comparableKey, "min": func(a, b float64) float64 { return min(a, b) }, "max": func(a, b float64) float64 { return max(a, b) }, "Rune": runeAt, "SliceToArray": sliceToArray, "ToAny": ToAny, "Shut": shut, "Opened": opened, "Clear": Clear,
		"SetMethod": SetMethod, "SetReflect": SetReflect, "SetWhole": SetWhole, "TypeOf": TypeOf, "Keep": r.keep, "Kept": r.kept, "Out": r.setOut, "Keys": r.keys, "Entries": r.entries,
		// channels
		"Recv": r.recv, "Send": r.send, "Close": closeChan, "Select": r.choose, "RecvCase": recvCase, "SendCase": sendCase,
		// control
		"Go": r.goStart, "WithDefers": r.withDefers, "Take": Take, "Body": body, "Enter": r.enter, "Not": func(b bool) bool { return !b }, "At": r.At, "Halt": r.halt, "Stop": &r.stop,
		"PanicNil": panicNil, "NilPointer": any(errNil), "PanicValue": panicValue, "NegativeShift": any(runtimeError("negative shift amount")),
		// the standard library, where it must know the user's types or the session
		"RuneString": runeString, "BuiltinPrint": r.builtinPrint, "BuiltinPrintln": r.builtinPrintln,
		"Print": r.print, "Println": r.println, "Printf": r.printf,
		"Sprintf": sprintf, "Sprint": sprint, "Fprint": fprint, "Append": appendPrint, "Fprintf": fprintf, "Errorf": errorf, "Appendf": appendf,
		"Now": r.read, "Since": r.since, "Until": r.until, "Sleep": r.sleep, "Rand": r.rand1, "Rand2": r.rand2,
		"Check": r.check, "Exit": exit, "Fatal": fatal, "Fatalf": fatalf, "Path": r.path, "TempPath": r.tempPath, "OpenFile": r.openFile, "NewFile": r.newFile, "FindProcess": r.findProcess, "Writer": r.writer, "WriteAny": r.writeAny, "WriteStringAny": r.writeStringAny, "CloseAny": closeAny, "WriteFile": r.writeFile, "WriteFileString": r.writeFileString, "CloseFile": closeFile, "ChmodFile": r.chmodFile, "ChownFile": r.chownFile, "ChdirFile": r.chdirFile, "SignalProcess": r.signalProcess, "KillProcess": r.killProcess,
		"ExecuteText": r.executeText, "ExecuteTextNamed": r.executeTextNamed, "ExecuteHTML": r.executeHTML, "ExecuteHTMLNamed": r.executeHTMLNamed,
		"TextFuncs": r.textFuncs, "HTMLFuncs": r.htmlFuncs,
		"JSONTarget": JSONTarget, "JSONInto": jsonInto, "MarshalJSON": marshalJSON, "MarshalIndent": marshalIndent, "EncodeJSON": encodeJSON, "DecodeJSON": decodeJSON, "UseNumber": useNumber, "DisallowUnknownFields": disallowUnknownFields, "ReflectType": reflectType, "ReflectOf": reflectOf, "CompiledType": compiledType, "ReflectValue": r.reflectValue, "Native": nativeDeep, "NativeEach": nativeEach, "LogArg": logArg, "LogArgs": logArgs, "WithValue": withValue, "After": r.after, "AfterFunc": r.afterFunc,
		"Tick": r.tick, "NewTimer": r.newTimer, "NewTicker": r.newTicker, "StopTimer": r.stopTimer, "ResetTimer": r.resetTimer, "StopTicker": r.stopTicker, "ResetTicker": r.resetTicker,
		"WithTimeout": r.withTimeout, "WithTimeoutCause": r.withTimeoutCause, "WithDeadline": r.withDeadline, "WithDeadlineCause": r.withDeadlineCause,
		"Lock": r.lock, "LockRW": r.lockRW, "LockR": r.lockR, "LockAny": r.lockAny, "WaitGroup": r.waitGroup, "GroupGo": r.groupGo, "WaitCond": r.waitCond,
		"NewLog": r.newLog, "LogFlags": r.logFlags, "LogFlagsOf": logFlagsOf, "NewTextLog": newTextLog, "NewJSONLog": newJSONLog, "StoreValue": storeValue, "SwapValue": swapValue, "Log": r.stdLog, "LogTo": r.logTo, "Logf": r.logf, "LogPrint": r.logPrint, "LogfTo": logfTo, "LogPrintTo": logPrintTo, "NewSlog": r.newSlog, "Slog": r.stdSlog, "SetSlog": r.setSlog,
		"FatalTo": fatalTo, "FatalfTo": fatalfTo, "Flags": r.commandLine, "FlagsVar": r.commandLineVar, "PrintFlags": r.printFlags, "PrintFlagsOf": printFlagsOf, "NewFlag": r.newFlag, "NewFlags": r.newFlags, "TextVar": r.textVar, "TextVarOf": textVarOf, "ParseFlags": r.parseFlags,
		// what would end the process
		"Size": size, "Hint": hint, "Repeat": repeat, "RepeatBytes": repeatBytes, "NewReaderSize": newReaderSize, "NewWriterSize": newWriterSize, "NewRing": newRing, "Perm": r.perm, "PermOf": permOf, "Perm2": r.perm2, "PermOf2": permOf2,
		"MakeSlice": makeReflectedSlice, "MakeChan": makeReflectedChan, "LshInt": lshInt, "SetBitInt": setBitInt, "ExpInt": expInt, "GrowBuilder": growBuilder, "GrowBuffer": growBuffer,
		"Unlock": unlock, "UnlockRW": unlockRW, "UnlockR": unlockR, "UnlockAny": unlockAny,
		// the library, where a result is fixed to another type than any
		"ReadTextFile": dataflow.Erased{}.ReadTextFile, "FromSequence": dataflow.Erased{}.FromSequence,
		"GenerateSequence": dataflow.Erased{}.GenerateSequence, "SocketTextStream": dataflow.Erased{}.SocketTextStream,
		"Project":       dataflow.Erased{}.Project,
		"AsTuple":       asTuple,
		"Received":      received,
		"CallKey":       dataflow.Erased{}.CallKey,
		"CoKeyByFields": dataflow.Erased{}.CoKeyByFields, "CoKeyByPositions": dataflow.Erased{}.CoKeyByPositions,
		"KeyByFields": dataflow.Erased{}.KeyByFields, "KeyByPositions": dataflow.Erased{}.KeyByPositions,
	}
	x := map[string]reflect.Value{
		"Desc": reflect.ValueOf((*Desc)(nil)), "AtomicPointer": reflect.ValueOf((*AtomicPointer)(nil)), "TypeAssertionError": reflect.ValueOf((*TypeAssertionError)(nil)), "Defers": reflect.ValueOf((*Defers)(nil)), "Recoverer": reflect.ValueOf((*Recoverer)(nil)),
		"Seq": reflect.ValueOf((*iter.Seq[any])(nil)), "Seq2": reflect.ValueOf((*iter.Seq2[any, any])(nil)), "SeqErr": reflect.ValueOf((*iter.Seq2[any, error])(nil)),
	}
	maps.Copy(m, r.compilers())
	maps.Copy(m, scans)
	for k, v := range m {
		x[k] = reflect.ValueOf(v)
	}
	return x
}

// DescExport is the symbol of descriptor n.
func (r *Runtime) DescExport(n int) (string, reflect.Value) {
	return fmt.Sprintf("D%d", n), reflect.ValueOf(r.Reg.D(n))
}

// IsRaw reports whether the dynamic type of v is the compiled type that zero points to.
func IsRaw(v, zero any) bool {
	return v != nil && reflect.TypeOf(v) == reflect.TypeOf(zero).Elem()
}

// Equal is == on interfaces, structs and arrays.
func Equal(a, b any) bool {
	if x, ok := unwrap(a); ok {
		a = x
	}
	if x, ok := unwrap(b); ok {
		b = x
	}
	if x, ok := a.(Boxed); ok && !types.Comparable(x.D.Type) {
		if y, ok := b.(Boxed); ok && y.D == x.D {
			panic(runtimeError("comparing uncomparable type " + GoTypeString(x.D.Type)))
		}
	}
	return a == b
}

// AsError makes an error of an interface value that implements it.
func AsError(v any) error {
	if e, ok := v.(error); ok {
		return e
	}
	panic(assertError("%s is not error: missing method Error", TypeName(v)))
}

// panicNil is panic(nil).
func panicNil() { panic(new(runtime.PanicNilError)) }

// received is the user's value, in its box, inside of an adapter of the library's interface; another value stays as it is.
func received(x any) any {
	if a, ok := x.(interface{ Receiver() any }); ok {
		return a.Receiver()
	}
	return x
}

// asTuple is an erased value as the dynamic tuple; yaegi cannot assert an interface of the library.
func asTuple(x any) dataflow.Tuple {
	t, _ := x.(dataflow.Tuple)
	return t
}
