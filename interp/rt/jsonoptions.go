// The options of a json.Decoder, which its targets of a cell's types must know.

package rt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"weak"
)

// jsonOptions are what UseNumber and DisallowUnknownFields set.
type jsonOptions struct{ useNumber, strict bool }

// jsonDecoders holds the options of the decoders that have any.
var jsonDecoders = struct {
	sync.Mutex
	options map[weak.Pointer[json.Decoder]]jsonOptions
}{options: map[weak.Pointer[json.Decoder]]jsonOptions{}}

func setJSONOption(d *json.Decoder, set func(*jsonOptions)) {
	w := weak.Make(d)
	jsonDecoders.Lock()
	defer jsonDecoders.Unlock()
	o, known := jsonDecoders.options[w]
	if !known {
		runtime.AddCleanup(d, func(w weak.Pointer[json.Decoder]) {
			jsonDecoders.Lock()
			defer jsonDecoders.Unlock()
			delete(jsonDecoders.options, w)
		}, w)
	}
	set(&o)
	jsonDecoders.options[w] = o
}

// useNumber is the method UseNumber of a json.Decoder.
func useNumber(d *json.Decoder) {
	d.UseNumber()
	setJSONOption(d, func(o *jsonOptions) { o.useNumber = true })
}

// disallowUnknownFields is the method DisallowUnknownFields of a json.Decoder.
func disallowUnknownFields(d *json.Decoder) {
	d.DisallowUnknownFields()
	setJSONOption(d, func(o *jsonOptions) { o.strict = true })
}

// decodeJSON is the method Decode of a json.Decoder.
func decodeJSON(d *json.Decoder, target any) error {
	target = jsonInto(target)
	if j, ok := target.(*jsonTarget); ok {
		jsonDecoders.Lock()
		j.opts = jsonDecoders.options[weak.Make(d)]
		jsonDecoders.Unlock()
	}
	return d.Decode(target)
}

// unmarshal is json.Unmarshal with the options.
func (o jsonOptions) unmarshal(b []byte, p any) error {
	if o == (jsonOptions{}) {
		return json.Unmarshal(b, p)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if o.useNumber {
		d.UseNumber()
	}
	if o.strict {
		d.DisallowUnknownFields()
	}
	return d.Decode(p)
}

// unknown is what a member means that no field takes.
func (j *jsonTarget) unknown(name string) error {
	if j.opts.strict && j.first == nil {
		j.first = fmt.Errorf("json: unknown field %q", name)
	}
	return nil
}
