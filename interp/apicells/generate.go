package apicells

//go:generate go run ./gen
