package sqltext

import "strings"

// joined reads a table and all that is joined to it.
func (p *parser) joined() {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	p.source()
	for p.err == nil && p.join() {
	}
}

// join reads one join, if one comes next.
func (p *parser) join() bool {
	if p.take("CROSS", "APPLY") || p.take("OUTER", "APPLY") || p.take("STRAIGHT_JOIN") {
		p.source()
		p.joinOn()
		return true
	}
	start := p.at
	natural := p.takeAny("NATURAL", "ASOF")
	cross := p.take("CROSS")
	if !cross && !p.take("INNER") {
		if p.takeAny("LEFT", "RIGHT", "FULL") {
			p.takeAny("OUTER", "SEMI", "ANTI")
		} else {
			p.takeAny("ANTI", "SEMI")
		}
	}
	if !p.take("JOIN") {
		if p.at != start {
			p.unexpected("JOIN")
		}
		return false
	}
	p.source()
	if !natural && !cross || p.isAny("ON", "USING") {
		p.joinOn()
	}
	return true
}

func (p *parser) joinOn() {
	switch {
	case p.take("ON"):
		p.expr()
	case p.take("USING"):
		p.names()
		p.alias(false)
	}
}

// source reads one table, function or query in brackets, with its alias.
func (p *parser) source() {
	p.take("LATERAL")
	p.take("ONLY")
	switch {
	case p.isOp("("):
		p.sourceParens()
	case p.isAny("TABLE", "XMLTABLE", "JSON_TABLE") && p.ahead(1).text == "(":
		p.skip()
		p.skipBrackets()
	case p.callsFunction():
		p.nameOperand()
	default:
		p.table()
	}
	p.take("FINAL")
	p.take("WITH", "ORDINALITY")
	p.sample()
	p.sourceAlias()
	p.columnAliases()
	if p.take("WITH", "OFFSET") {
		p.alias(false)
	}
	p.sample()
	p.hints()
}

// sourceAlias reads a table's alias and notes it.
func (p *parser) sourceAlias() {
	start := p.at
	p.alias(false)
	if t := p.tokens[max(p.at-1, 0)]; p.at > start && p.err == nil {
		if t.kind == word {
			t.text = strings.ToLower(t.raw)
		}
		p.aliases[t.text] = true
	}
}

// callsFunction reports whether a name, perhaps of several parts, comes next
// and then a bracket.
func (p *parser) callsFunction() bool {
	n := 1
	for p.ahead(n).text == "." && p.ahead(n).kind == operator {
		n += 2
	}
	return isName(p.tok()) && p.ahead(n).kind == operator && p.ahead(n).text == "("
}

func (p *parser) sourceParens() {
	p.needOp("(")
	if p.startsQuery() {
		p.query()
		p.needOp(")")
		p.queryEnd = p.at
		return
	}
	p.list(p.joined)
	if p.queryEnd == p.at && p.isAny("UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER", "LIMIT") {
		p.queryTail()
		p.needOp(")")
		p.queryEnd = p.at
		return
	}
	p.needOp(")")
}

// columnAliases reads (a, b) or, of a function, (a int, b text).
func (p *parser) columnAliases() {
	if !p.takeOp("(") {
		return
	}
	p.list(func() {
		p.name()
		if isName(p.tok()) {
			p.typeName()
		}
	})
	p.needOp(")")
}

func (p *parser) sample() {
	if !p.take("TABLESAMPLE") {
		return
	}
	if isName(p.tok()) {
		p.skip()
	}
	p.skipBrackets()
	if p.take("REPEATABLE") {
		p.skipBrackets()
	}
}

// hints reads what MySQL, SQLite and SQL Server let follow a table.
func (p *parser) hints() {
	switch {
	case p.is("WITH") && p.ahead(1).text == "(" && (p.dialect == SQLServer || p.dialect == Any):
		p.skip()
		p.skipBrackets()
	case p.isAny("USE", "FORCE", "IGNORE") && (p.ahead(1).text == "INDEX" || p.ahead(1).text == "KEY"):
		p.skip()
		p.skip()
		if p.take("FOR") {
			p.takeAny("JOIN")
		}
		p.skipBrackets()
	case p.take("INDEXED", "BY"):
		p.name()
	case p.take("NOT", "INDEXED"):
	}
}
