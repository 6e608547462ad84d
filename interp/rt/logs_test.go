package rt

import (
	"bytes"
	"log"
	"log/slog"
	"testing"
	"time"
)

func TestLoggersWriteTheTimeOfTheSession(t *testing.T) {
	var out bytes.Buffer
	r := &Runtime{Stderr: &out, Now: func() time.Time { return time.Date(2024, 1, 2, 3, 4, 5, 6000, time.UTC) }}
	r.stdLog().Print("a")
	r.stdSlog().Info("b", "k", 1, "msg", "m")
	r.logTo(&out)
	r.stdLog().SetFlags(log.Ldate | log.Lmicroseconds | log.Lmsgprefix)
	r.stdLog().SetPrefix("p ")
	r.logf("c %d", 2)
	r.newLog(&out, "own ", log.Ltime).Print("d")
	r.newSlog(slog.NewTextHandler(&out, nil)).With("x", 1).Warn("e")
	want := `2024/01/02 03:04:05 a
2024/01/02 03:04:05 INFO b k=1 msg=m
2024/01/02 03:04:05.000006 p c 2
own 03:04:05 d
time=2024-01-02T03:04:05.000Z level=WARN msg=e x=1
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
