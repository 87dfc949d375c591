package sqltext

// startsQuery reports whether a query without brackets comes next.
func (p *parser) startsQuery() bool {
	return p.isAny("SELECT", "WITH") || p.is("VALUES") && p.ahead(1).text == "("
}

// query reads a query with all its clauses.
func (p *parser) query() {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	if p.is("WITH") {
		p.withClause()
	}
	if !p.startsQuery() && !p.isOp("(") && !p.is("TABLE") {
		p.statement() // a change of data that returns rows
		return
	}
	p.queryTerm()
	p.queryTail()
}

func (p *parser) withClause() {
	p.need("WITH")
	p.take("RECURSIVE")
	p.list(func() {
		p.with[p.name()] = true
		p.names()
		p.need("AS")
		p.take("NOT")
		p.take("MATERIALIZED")
		p.needOp("(")
		p.query()
		p.needOp(")")
	})
}

// queryTail reads further terms, order and limits.
func (p *parser) queryTail() {
	for p.err == nil && p.takeAny("UNION", "EXCEPT", "INTERSECT", "MINUS") {
		p.takeAny("ALL", "DISTINCT")
		p.queryTerm()
	}
	if p.is("ORDER") {
		p.orderBy()
	}
	p.limits()
	for p.err == nil && p.take("FOR") {
		p.lock()
	}
}

func (p *parser) limits() {
	for p.err == nil {
		switch {
		case p.take("LIMIT"):
			if !p.take("ALL") {
				p.expr()
			}
			if p.isOp(",") && p.dialect != Postgres && p.dialect != SQLServer {
				p.skip()
				p.expr()
			}
		case p.take("OFFSET"):
			p.expr()
			p.takeAny("ROW", "ROWS")
		case p.take("FETCH"):
			if !p.takeAny("FIRST", "NEXT") {
				p.unexpected("FIRST or NEXT")
			}
			if !p.isAny("ROW", "ROWS") {
				p.unary()
			}
			p.take("PERCENT")
			if !p.takeAny("ROW", "ROWS") {
				p.unexpected("ROW or ROWS")
			}
			if !p.take("ONLY") {
				p.need("WITH", "TIES")
			}
		default:
			return
		}
	}
}

func (p *parser) lock() {
	p.take("NO", "KEY")
	p.take("KEY")
	if p.takeAny("JSON", "XML") { // SQL Server
		p.takeAny("PATH", "AUTO")
		return
	}
	if !p.takeAny("UPDATE", "SHARE") {
		p.unexpected("UPDATE or SHARE")
	}
	if p.take("OF") {
		p.list(func() { p.dotted() })
	}
	if !p.take("NOWAIT") {
		p.take("SKIP", "LOCKED")
	}
}

// queryTerm reads SELECT, VALUES, TABLE or a query in brackets.
func (p *parser) queryTerm() {
	switch {
	case p.isOp("("):
		if !p.enter() {
			p.leave()
			return
		}
		defer p.leave()
		p.skip()
		p.query()
		p.needOp(")")
	case p.take("VALUES"):
		p.does("select")
		p.rows()
	case p.take("TABLE"):
		p.does("select")
		p.table()
	case p.take("SELECT"):
		p.does("select")
		p.selectRest()
	default:
		p.unexpected("a query")
	}
}

func (p *parser) rows() {
	p.list(func() {
		p.take("ROW")
		p.needOp("(")
		p.elements(")")
	})
}

func (p *parser) selectRest() {
	if p.takeAny("DISTINCT", "ALL", "DISTINCTROW", "SQL_CALC_FOUND_ROWS", "STRAIGHT_JOIN") && p.is("ON") && p.ahead(1).text == "(" {
		p.skip()
		p.parens()
	}
	if p.isAny("TOP") && (p.ahead(1).kind == number || p.ahead(1).text == "(") && p.dialect != Postgres && p.dialect != MySQL && p.dialect != SQLite {
		p.skip()
		p.primary()
		p.take("PERCENT")
		p.take("WITH", "TIES")
	}
	p.list(p.item)
	if p.take("INTO") {
		p.does("create")
		p.takeAny("TEMP", "TEMPORARY")
		p.table()
	}
	if p.take("FROM") {
		p.list(p.joined)
	}
	if p.take("WHERE") {
		p.expr()
	}
	p.groupBy()
	if p.take("HAVING") {
		p.expr()
	}
	if p.take("QUALIFY") {
		p.expr()
	}
	if p.take("WINDOW") {
		p.list(func() {
			p.name()
			p.need("AS")
			p.needOp("(")
			p.window()
			p.needOp(")")
		})
	}
	if p.take("QUALIFY") {
		p.expr()
	}
}

// item reads one column of a result.
func (p *parser) item() {
	if p.takeOp("*") {
		if (p.is("EXCEPT") || p.isAny("EXCLUDE")) && p.ahead(1).text == "(" {
			p.skip()
			p.names()
		}
		return
	}
	p.expr()
	p.alias(true)
}

// alias reads an alias, if one comes next. Of a column it may be a text.
func (p *parser) alias(column bool) {
	texts := column && p.dialect != Postgres
	if p.take("AS") {
		if t := p.tok(); t.kind == word || t.kind == quoted || t.kind == text && texts {
			p.skip()
			return
		}
		p.unexpected("an alias")
		return
	}
	if t := p.tok(); isName(t) && !joinWords[t.text] || t.kind == text && texts {
		p.skip()
	}
}

// joinWords end a table and begin what follows it.
var joinWords = wordSet("ASOF ANTI SEMI STRAIGHT_JOIN USE FORCE IGNORE PIVOT UNPIVOT MINUS CONNECT START DO WHEN OPTION")

func (p *parser) groupBy() {
	if !p.take("GROUP") {
		return
	}
	p.need("BY")
	if p.take("ALL") {
		return
	}
	p.list(func() {
		if p.take("GROUPING", "SETS") {
			p.needOp("(")
			p.list(func() {
				if !p.isOp("(") || p.ahead(1).text != ")" {
					p.expr()
					return
				}
				p.skip()
				p.skip()
			})
			p.needOp(")")
			return
		}
		p.expr()
		p.takeAny("ASC", "DESC")
	})
	p.take("WITH", "ROLLUP")
}

func (p *parser) orderBy() {
	p.need("ORDER")
	p.take("SIBLINGS")
	p.need("BY")
	p.list(func() {
		p.expr()
		if p.take("USING") {
			p.skip()
		}
		p.takeAny("ASC", "DESC")
		if p.take("NULLS") && !p.takeAny("FIRST", "LAST") {
			p.unexpected("FIRST or LAST")
		}
	})
}
