package graph

import "encoding/hex"

// assignHashes gives every node its operator id (StreamGraphHasherV2): the hash of the uid that the user
// set, or one of the node's place in the topology. The same topology always gets the same ids.
func assignHashes(g *StreamGraph) {
	done := map[*Node][]byte{}
	visited := map[*Node]bool{}
	queue := append([]*Node(nil), g.Sources...)
	for _, n := range queue {
		visited[n] = true
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if !inputsHashed(n, done) {
			visited[n] = false // it comes again by its other input
			continue
		}
		if n.T.UID != "" {
			done[n] = murmur128([]byte(n.T.UID))
		} else {
			done[n] = structuralHash(g, n, done)
		}
		n.Hash = hex.EncodeToString(done[n])
		for _, e := range n.Out {
			if !visited[e.To] {
				visited[e.To] = true
				queue = append(queue, e.To)
			}
		}
	}
}

func inputsHashed(n *Node, done map[*Node][]byte) bool {
	for _, e := range n.In {
		if done[e.From] == nil {
			return false
		}
	}
	return true
}

// structuralHash mixes the position of n, the number of its chained outputs and the hashes of its inputs.
func structuralHash(g *StreamGraph, n *Node, done map[*Node][]byte) []byte {
	position := uint32(len(done))
	le := []byte{byte(position), byte(position >> 8), byte(position >> 16), byte(position >> 24)}
	data := append([]byte(nil), le...)
	for _, e := range n.Out {
		if Chainable(g, e) {
			data = append(data, le...)
		}
	}
	h := murmur128(data)
	for _, e := range n.In {
		other := done[e.From]
		for i := range h {
			h[i] = h[i]*37 ^ other[i]
		}
	}
	return h
}
