package dataflow

import (
	"errors"
	"strings"
)

// This file reads the values of options that are lists and maps, and finds the option that a misspelt key means.

// splitQuoted splits s at sep, but not inside of single or double quotes, which stay.
func splitQuoted(s string, sep byte) (parts []string) {
	quote, from := byte(0), 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == sep:
			parts, from = append(parts, s[from:i]), i+1
		}
	}
	return append(parts, s[from:])
}

// mapOf reads Flink's notation of maps: "k1:v1,k2:v2", where a value with , : or ; is quoted.
func mapOf(v string) (map[string]string, error) {
	m := map[string]string{}
	if strings.TrimSpace(v) == "" {
		return m, nil
	}
	for _, entry := range splitQuoted(v, ',') {
		key, value, ok := strings.Cut(entry, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			return nil, errors.New("key:value, separated by commas, is needed")
		}
		if n := len(value); n > 1 && (value[0] == '\'' || value[0] == '"') && value[n-1] == value[0] {
			q := value[:1]
			value = strings.ReplaceAll(value[1:n-1], q+q, q)
		}
		m[key] = value
	}
	return m, nil
}

// cachedFiles registers files: "name:file1,path:'/tmp/file1';name:file2,path:'/tmp/file2',executable:true".
func cachedFiles(e *StreamExecutionEnvironment, v string) error {
	for _, file := range splitQuoted(v, ';') {
		m, err := mapOf(file)
		if err != nil || m["name"] == "" || m["path"] == "" {
			return errors.New("name:file1,path:'/tmp/file1', separated by semicolons, is needed")
		}
		e.RegisterCachedFile(strings.TrimPrefix(m["path"], "file://"), m["name"], Executable(strings.EqualFold(m["executable"], "true")))
	}
	return nil
}

// globalJobParameters sets the parameters of all functions: "k1:v1,k2:v2".
func globalJobParameters(e *StreamExecutionEnvironment, v string) error {
	m, err := mapOf(v)
	if err == nil {
		e.SetGlobalJobParameters(m)
	}
	return err
}

// nearestKey is the known key that shares the most of its words with a key that is not known; empty: none is near.
func nearestKey(key string, known []string) (nearest string) {
	words := func(key string) map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsFuncSeq(strings.ToLower(key), func(r rune) bool { return r == '.' || r == '-' }) {
			set[w] = true
		}
		return set
	}
	asked, best := words(key), 0.25 // less than a quarter is chance
	for _, k := range known {
		has, both := words(k), 0
		for w := range has {
			if asked[w] {
				both++
			}
		}
		if share := float64(both) / float64(len(asked)+len(has)-both); share > best {
			nearest, best = k, share
		}
	}
	return nearest
}
