package sqltext

import (
	"slices"
	"strings"
)

// statement reads one statement and notes what it does.
func (p *parser) statement() {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	switch {
	case p.startsQuery(), p.isOp("("), p.is("TABLE"):
		p.query()
	case p.is("INSERT"), p.is("REPLACE"):
		p.does("insert")
		p.insert()
	case p.is("UPDATE"):
		p.does("update")
		p.update()
	case p.is("DELETE"):
		p.does("delete")
		p.delete()
	case p.is("MERGE"):
		p.does("merge")
		p.merge()
	case p.is("CREATE"):
		p.does("create")
		p.create()
	case p.isAny("EXPLAIN", "DESCRIBE", "DESC"):
		p.explain()
	case p.tok().kind == word && loose[p.tok().text]:
		p.does(strings.ToLower(p.tok().text))
		p.loose()
	default:
		p.unexpected("a statement")
	}
}

// loose statements are read by their first word and their brackets.
var loose = wordSet("ALTER DROP TRUNCATE GRANT REVOKE BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE SET RESET SHOW USE PRAGMA ATTACH DETACH VACUUM ANALYZE REINDEX " +
	"COMMENT CALL EXEC EXECUTE DECLARE LOCK UNLOCK COPY LOAD RENAME OPTIMIZE DO PREPARE DEALLOCATE LISTEN NOTIFY REFRESH CLUSTER KILL")

// Kinds lists what a statement can do, as Statement.Kinds says it.
func Kinds() []string {
	kinds := []string{"select", "insert", "update", "delete", "merge", "create", "explain"}
	for w := range loose {
		kinds = append(kinds, strings.ToLower(w))
	}
	slices.Sort(kinds[7:])
	return kinds
}

// loose passes over the rest of a statement; its brackets must match.
func (p *parser) loose() {
	p.loosely = true
	p.skip()
	for p.err == nil && p.tok().kind != atEnd && !p.isOp(";") {
		switch {
		case p.isOp("("):
			p.skipBrackets()
		case p.isOp(")"):
			p.unexpected("the end of the statement")
		default:
			p.skip()
		}
	}
}

func (p *parser) explain() {
	p.does("explain")
	p.skip()
	if p.isOp("(") && !p.ahead(1).begins() {
		p.skipBrackets()
	}
	for p.takeAny("ANALYZE", "VERBOSE", "EXTENDED", "PARTITIONS") || p.take("QUERY", "PLAN") {
	}
	if p.take("FORMAT") {
		p.takeOp("=")
		p.skip()
	}
	if isName(p.tok()) && !p.tok().begins() {
		p.table() // DESCRIBE t
		return
	}
	p.statement()
}

// begins reports whether a statement can begin with the token.
func (t token) begins() bool {
	switch t.text {
	case "SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "MERGE", "CREATE", "(":
		return true
	}
	return false
}

func (p *parser) insert() {
	p.skip()
	if p.take("OR") {
		p.skip() // SQLite: OR REPLACE, OR IGNORE, …
	}
	p.takeAny("IGNORE", "LOW_PRIORITY", "DELAYED", "OVERWRITE")
	if !p.take("INTO") && p.dialect != MySQL && p.dialect != SQLServer && p.dialect != Any {
		p.unexpected("INTO")
	}
	p.take("TABLE")
	p.table()
	if p.take("AS") {
		p.name()
	}
	if p.isOp("(") && !p.ahead(1).begins() {
		p.skip()
		p.list(func() { p.dotted() })
		p.needOp(")")
	}
	p.output()
	if p.take("OVERRIDING") {
		p.takeAny("SYSTEM", "USER")
		p.take("VALUE")
	}
	switch {
	case p.take("DEFAULT", "VALUES"):
	case p.take("SET"):
		p.assignments()
	case p.take("VALUES"), p.take("VALUE"):
		p.rows()
		if p.take("AS") { // MySQL: the new row
			p.name()
			p.names()
		}
	default:
		p.query()
	}
	p.conflict()
	p.returning()
}

// output reads SQL Server's OUTPUT.
func (p *parser) output() {
	if p.dialect == SQLServer && p.take("OUTPUT") {
		p.list(p.item)
		if p.take("INTO") {
			p.table()
			p.names()
		}
	}
}

func (p *parser) conflict() {
	if p.take("ON", "DUPLICATE", "KEY", "UPDATE") {
		p.assignments()
		return
	}
	for p.err == nil && p.take("ON", "CONFLICT") {
		if p.take("ON", "CONSTRAINT") {
			p.name()
		} else if p.isOp("(") {
			p.parens()
		}
		if p.take("WHERE") {
			p.expr()
		}
		p.need("DO")
		if p.take("NOTHING") {
			continue
		}
		p.need("UPDATE", "SET")
		p.assignments()
		if p.take("WHERE") {
			p.expr()
		}
	}
}

func (p *parser) returning() {
	if p.take("RETURNING") {
		p.list(p.item)
	}
}

func (p *parser) assignments() {
	p.list(func() {
		if p.isOp("(") {
			p.names()
		} else {
			p.dotted()
			for p.isOp("[") && p.err == nil {
				p.subscript()
			}
		}
		if !p.takeOp(":=") {
			p.needOp("=")
		}
		p.expr()
	})
}

func (p *parser) update() {
	p.skip()
	if p.take("OR") {
		p.skip()
	}
	p.takeAny("IGNORE", "LOW_PRIORITY")
	p.list(p.joined)
	p.need("SET")
	p.assignments()
	p.output()
	if p.take("FROM") {
		p.list(p.joined)
	}
	p.changeTail()
}

func (p *parser) delete() {
	p.skip()
	p.takeAny("IGNORE", "LOW_PRIORITY", "QUICK")
	if isName(p.tok()) { // MySQL, SQL Server: DELETE t FROM t JOIN …
		p.list(func() {
			p.table()
		})
	}
	if p.take("FROM") {
		p.list(p.joined)
	}
	p.output()
	if p.take("USING") {
		p.list(p.joined)
	}
	p.changeTail()
}

func (p *parser) changeTail() {
	if p.take("WHERE") && !p.take("CURRENT", "OF") {
		p.expr()
	}
	if p.is("ORDER") {
		p.orderBy()
	}
	if p.take("LIMIT") {
		p.expr()
	}
	p.returning()
}

func (p *parser) merge() {
	p.skip()
	p.take("INTO")
	p.source()
	p.need("USING")
	p.source()
	p.need("ON")
	p.expr()
	for p.err == nil && p.is("WHEN") {
		p.mergeWhen()
	}
	p.output()
	p.returning()
}

func (p *parser) mergeWhen() {
	p.need("WHEN")
	p.take("NOT")
	p.need("MATCHED")
	if p.take("BY") {
		p.takeAny("SOURCE", "TARGET")
	}
	if p.take("AND") {
		p.expr()
	}
	p.need("THEN")
	switch {
	case p.take("UPDATE", "SET"):
		p.assignments()
	case p.takeAny("DELETE"), p.take("DO", "NOTHING"), p.take("INSERT", "DEFAULT", "VALUES"):
	case p.take("INSERT"):
		p.names()
		p.need("VALUES")
		p.rows()
	default:
		p.unexpected("UPDATE, INSERT or DELETE")
	}
}
