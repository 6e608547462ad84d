package rt

// JSONTarget makes a target for json.Unmarshal of pointer p, whose type is d.
func JSONTarget(d *Desc, p any) any { return p }
