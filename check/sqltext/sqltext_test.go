package sqltext

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// accepted are statements that parse in the dialects named, and in any.
var accepted = []struct{ dialects, sql string }{
	{"pmls", "SELECT id, name FROM users WHERE age > 18 ORDER BY name DESC, id"},
	{"pml", "SELECT id FROM users LIMIT 10 OFFSET 5"},
	{"pmls", "SELECT * FROM a JOIN b ON a.id=b.a_id LEFT OUTER JOIN c ON (c.x = b.x) CROSS JOIN d, e"},
	{"pml", "SELECT * FROM a NATURAL JOIN b INNER JOIN c USING (id)"},
	{"pmls", "SELECT CAST(x AS INTEGER), COUNT(DISTINCT y), SUM(z) AS total FROM t GROUP BY 1 HAVING COUNT(*) > 1"},
	{"p", "SELECT created_at::date, name ILIKE '%x%', COUNT(*) FILTER (WHERE y > 1) FROM t"},
	{"pml", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 5) SELECT * FROM r"},
	{"pmls", "SELECT RANK() OVER (PARTITION BY a ORDER BY b DESC), LAG(x, 1) OVER w FROM t WINDOW w AS (ORDER BY d)"},
	{"pmls", "SELECT SUM(x) OVER (ORDER BY d ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM t"},
	{"p", "SELECT DISTINCT ON (a, b) a, b FROM t ORDER BY a, b NULLS LAST"},
	{"ps", "SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY"},
	{"pm", "SELECT EXTRACT(YEAR FROM d), SUBSTRING(s FROM 1 FOR 2), TRIM(BOTH ' ' FROM s), POSITION('a' IN s) FROM t"},
	{"p", "SELECT DATE_TRUNC('month', d), INTERVAL '1 day', now() - interval '2' hour, TIMESTAMP '2024-01-01' FROM t"},
	{"m", "SELECT DATE_SUB(NOW(), INTERVAL 1 DAY), `a b` FROM `t` WHERE x REGEXP 'y' AND b <=> NULL LIMIT 5, 10"},
	{"pls", `SELECT 'it''s', "col name" FROM "My Table" AS "m"`},
	{"m", `SELECT "it's", 'a\'b' FROM t # a comment`},
	{"pl", "INSERT INTO t (a,b) VALUES (1,'x'), (2, DEFAULT) ON CONFLICT (a) DO UPDATE SET b = excluded.b WHERE t.a > 1 RETURNING id, b AS c"},
	{"m", "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a) + 1"},
	{"m", "REPLACE INTO t SET a = 1, b = 2"},
	{"l", "INSERT OR IGNORE INTO t DEFAULT VALUES"},
	{"p", "SELECT arr[1], arr[2:3], data->>'k', data #>> '{a,b}', data @> '{}', tags && ARRAY['a', 'b'] FROM t"},
	{"pls", "SELECT a FROM t1 EXCEPT SELECT a FROM t2 INTERSECT (SELECT a FROM t3 UNION SELECT 1)"},
	{"pmls", "SELECT CASE WHEN x THEN 1 ELSE 2 END AS y, CASE a WHEN 1 THEN 'one' END FROM (SELECT 1 AS x) AS s"},
	{"s", "SELECT TOP 5 [first name], t.[last] FROM [My Table] t WITH (NOLOCK) CROSS APPLY f(t.x) g"},
	{"s", "SELECT TOP (10) PERCENT a INTO #tmp FROM t"},
	{"l", "SELECT strftime('%Y', d), x IS y, z NOT NULL, a GLOB '*b' FROM t WHERE b IN ()"},
	{"pml", "SELECT x FROM t WHERE (a, b) IN (SELECT c, d FROM u) AND NOT EXISTS (SELECT 1 FROM v WHERE v.id = t.id)"},
	{"p", "SELECT * FROM t TABLESAMPLE SYSTEM (10) REPEATABLE (3)"},
	{"p", "SELECT STRING_AGG(name, ', ' ORDER BY name), percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t"},
	{"m", "SELECT GROUP_CONCAT(DISTINCT a ORDER BY b DESC SEPARATOR '; ') FROM t FORCE INDEX (i) WHERE a = 1 FOR UPDATE"},
	{"p", "SELECT * FROM a, LATERAL (SELECT a.x) b LEFT JOIN LATERAL f(a.y) WITH ORDINALITY AS c(v, n) ON TRUE"},
	{"p", "SELECT a FROM t WHERE b IS NOT DISTINCT FROM c AND d = ANY (ARRAY[1, 2]) AND e NOT BETWEEN 1 AND 2 AND f SIMILAR TO 'x'"},
	{"pls", "SELECT region, SUM(x) FROM t GROUP BY region, product, (a)"},
	{"ps", "SELECT a, b, SUM(c) FROM t GROUP BY GROUPING SETS ((a, b), (a), ()), ROLLUP (a)"},
	{"pml", "VALUES (1, 'a'), (2, 'b')"},
	{"pmls", "UPDATE t SET a = a + 1, b = (SELECT MAX(x) FROM u) WHERE id IN (1, 2, 3)"},
	{"p", "UPDATE t AS x SET (a, b) = (1, 2) FROM u JOIN v ON u.id = v.id WHERE x.id = u.id RETURNING *"},
	{"m", "UPDATE t JOIN u ON t.id = u.id SET t.a = u.a WHERE u.b = 1"},
	{"s", "UPDATE x SET x.a = 1 OUTPUT inserted.a FROM t x JOIN u ON x.id = u.id"},
	{"pml", "DELETE FROM t WHERE a IS NULL OR b < CURRENT_DATE"},
	{"p", "DELETE FROM t USING u WHERE t.id = u.id"},
	{"m", "DELETE x FROM t AS x JOIN u ON x.id = u.id ORDER BY x.id LIMIT 3"},
	{"ps", "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.d THEN DELETE WHEN MATCHED THEN UPDATE SET a = s.a WHEN NOT MATCHED THEN INSERT (id, a) VALUES (s.id, s.a)"},
	{"p", "WITH gone AS (DELETE FROM t WHERE a < 1 RETURNING *) SELECT count(*) FROM gone"},
	{"pml", "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, v NUMERIC(10,2) NOT NULL DEFAULT 0 CHECK (v > 0), w DOUBLE PRECISION, FOREIGN KEY (v) REFERENCES u(id) ON DELETE SET NULL, UNIQUE (v, w))"},
	{"p", "CREATE TABLE t (id SERIAL, at TIMESTAMP WITH TIME ZONE DEFAULT now(), tags text[] NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY)"},
	{"m", "CREATE TABLE t (id INT UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'x', KEY k (id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"},
	{"pmls", "CREATE VIEW v (a, b) AS SELECT 1, 2"},
	{"pml", "CREATE UNIQUE INDEX i ON t (lower(a), b)"},
	{"pmls", "DROP TABLE t; ALTER TABLE u ADD COLUMN c INT; -- done\n TRUNCATE TABLE w;"},
	{"pmls", "/* head */ SELECT 1 -- tail"},
	{"pml", "EXPLAIN SELECT * FROM t"},
	{"p", "EXPLAIN (ANALYZE, COSTS) DELETE FROM t"},
	{"p", "SELECT E'a\\'b', $$it's$$, $x$ $$ $x$, $1, 0xFF, 1e-3, .5, 1_000"},
	{"pmls", "SELECT a FROM t WHERE b = :name AND d = ?"},
	{"pml", "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 LIMIT 1"},
	{"pmls", "SELECT * FROM ((SELECT 1 AS a) UNION (SELECT 2)) AS s WHERE (SELECT 1) = ((SELECT 2) UNION SELECT 3)"},
	{"pmls", "SELECT * FROM (a JOIN (b JOIN c ON b.x = c.x) ON a.y = b.y)"},
	{"pmls", "SELECT date, name, value, type, rank, position, user, first FROM key, level"},
	{"", "SELECT * EXCEPT (a), ARRAY_AGG(STRUCT(a AS x)), [1, 2][OFFSET(0)] FROM `p.d.t` QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1"},
	{"", "SELECT SAFE_CAST(a AS ARRAY<STRUCT<b INT64, c ARRAY<STRING>>>) FROM t, UNNEST(x) AS y WITH OFFSET o"},
	{"", "SELECT LEFT(a, 2), REPLACE(b, 'x', 'y'), IF(c, 1, 2) FROM t WHERE a = %s AND b = %(name)s"},
}

func TestSQLThatServersTakeParses(t *testing.T) {
	t.Parallel()
	letters := map[byte]Dialect{'p': Postgres, 'm': MySQL, 'l': SQLite, 's': SQLServer}
	for _, c := range accepted {
		dialects := []Dialect{Any}
		if strings.Contains(c.sql, `"it's"`) || strings.Contains(c.sql, "IN ()") || strings.Contains(c.sql, "#tmp") || strings.Contains(c.sql, "OUTPUT") {
			dialects = nil // conflicts with another dialect
		}
		for i := range len(c.dialects) {
			dialects = append(dialects, letters[c.dialects[i]])
		}
		for _, d := range dialects {
			if _, err := Parse(c.sql, d); err != nil {
				t.Errorf("%s: %s: %v", d, c.sql, err)
			}
		}
	}
}

func TestWhatIsNoSQLDoesNotParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sql string
		dialect   Dialect
		want      string
	}{
		{"nothing", " -- only a comment", Any, "line 1, column 19: there is no statement"},
		{"prose", "Here is your query: SELECT 1", Any, `line 1, column 1: "Here" stands where a statement was expected`},
		{"a keyword misspelt", "SELEC * FROM t", Any, `line 1, column 1: "SELEC" stands where a statement was expected`},
		{"FROM misspelt", "SELECT a, b FORM t", Any, `line 1, column 18: "t" stands where the end of the statement was expected`},
		{"a comma too many", "SELECT a,\n FROM t", Any, `line 2, column 2: "FROM" stands where an expression was expected`},
		{"a table missing", "SELECT a FROM WHERE b", Any, `line 1, column 15: "WHERE" stands where a name was expected`},
		{"a bracket left open", "SELECT (a + 1 FROM t", Any, `line 1, column 15: "FROM" stands where ) was expected`},
		{"a bracket too many", "SELECT a) FROM t", Any, `line 1, column 9: ")" stands where the end of the statement was expected`},
		{"a text left open", "SELECT 'a FROM t", Any, "line 1, column 8: a text is never closed"},
		{"a condition missing", "SELECT a FROM t WHERE", Any, "line 1, column 22: the text ends where an expression was expected"},
		{"an operand missing", "SELECT a FROM t WHERE b =", Any, "line 1, column 26: the text ends where an expression was expected"},
		{"operators in a row", "SELECT a FROM t WHERE b = = 1", Any, `line 1, column 27: "=" stands where an expression was expected`},
		{"an arrow for a comparison", "SELECT a FROM t WHERE b => 1", Any, `line 1, column 25: "=>" stands where the end of the statement was expected`},
		{"GROUP without BY", "SELECT a FROM t GROUP a", Any, `line 1, column 23: "a" stands where BY was expected`},
		{"clauses the wrong way round", "SELECT a FROM t ORDER BY a WHERE b", Any, `line 1, column 28: "WHERE" stands where the end of the statement was expected`},
		{"CASE without END", "SELECT CASE WHEN a THEN 1 FROM t", Any, `line 1, column 27: "FROM" stands where END was expected`},
		{"INSERT without values", "INSERT INTO t (a, b)", Any, "line 1, column 21: the text ends where a statement was expected"},
		{"UPDATE without SET", "UPDATE t WHERE a = 1", Any, `line 1, column 10: "WHERE" stands where SET was expected`},
		{"a column without end", "CREATE TABLE t (a INT b INT)", Any, `line 1, column 23: "b" stands where a rule of the column, or a comma was expected`},
		{"two statements without a semicolon", "SELECT 1 SELECT 2", Any, `line 1, column 10: "SELECT" stands where the end of the statement was expected`},
		{"a fence of Markdown", "```sql\nSELECT 1\n```", Any, "line 1, column 1: \"```sql\\nSELECT 1\\n```\" stands where a statement was expected"},
		{"backticks in PostgreSQL", "SELECT `a` FROM t", Postgres, "line 1, column 8: a name in backticks is not of this dialect"},
		{"LIMIT with a comma in PostgreSQL", "SELECT a FROM t LIMIT 1, 2", Postgres, `line 1, column 24: "," stands where the end of the statement was expected`},
		{"TOP in MySQL", "SELECT TOP 5 a FROM t", MySQL, `line 1, column 12: "5" stands where the end of the statement was expected`},
		{"a character of no SQL", "SELECT a FROM t WHERE a ≥ 1", Any, `line 1, column 25: '≥' belongs to no SQL`},
		{"a comment left open", "SELECT 1 /* x", Any, "line 1, column 10: a comment is never closed"},
		{"a JOIN of nothing", "SELECT * FROM a LEFT b ON a.x = b.x", Any, `line 1, column 22: "b" stands where JOIN was expected`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := Parse(c.sql, c.dialect); err == nil || err.Error() != c.want {
				t.Errorf("%s:\ngot  %v\nwant %s", c.sql, err, c.want)
			}
		})
	}
}

func TestStatementsTellWhatTheyDoAndToWhat(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]Statement{
		"SELECT * FROM Users u JOIN shop.Orders o ON o.u = u.id":                            {[]string{"select"}, []string{"shop.orders", "users"}, false},
		"WITH x AS (SELECT * FROM t) SELECT * FROM x WHERE a IN (SELECT a FROM u)":          {[]string{"select"}, []string{"t", "u"}, false},
		"WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x":                             {[]string{"delete", "select"}, []string{"t"}, false},
		"INSERT INTO a SELECT * FROM b":                                                     {[]string{"insert", "select"}, []string{"a", "b"}, false},
		"SELECT a INTO b FROM c":                                                            {[]string{"select", "create"}, []string{"b", "c"}, false},
		"UPDATE u SET a = 1 FROM users AS u":                                                {[]string{"update"}, []string{"users"}, false},
		"EXPLAIN ANALYZE DELETE FROM t":                                                     {[]string{"explain", "delete"}, []string{"t"}, false},
		"DROP TABLE t":                                                                      {[]string{"drop"}, nil, true},
		`SELECT * FROM "Mixed Case", generate_series(1, 2) g`:                               {[]string{"select"}, []string{"Mixed Case"}, false},
		"MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE":                        {[]string{"merge"}, []string{"s", "t"}, false},
		"CREATE TABLE t AS SELECT * FROM u":                                                 {[]string{"create", "select"}, []string{"t", "u"}, false},
		"SELECT (SELECT max(x) FROM hidden), CASE WHEN EXISTS (SELECT 1 FROM b) THEN 1 END": {[]string{"select"}, []string{"b", "hidden"}, false},
	} {
		got, err := Parse(sql, Any)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if diff := cmp.Diff([]Statement{want}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", sql, diff)
		}
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"brackets":   "SELECT " + strings.Repeat("(", 10_000) + "1",
		"queries":    strings.Repeat("SELECT * FROM (", 10_000),
		"CASE":       "SELECT " + strings.Repeat("CASE WHEN ", 10_000),
		"NOT":        "SELECT " + strings.Repeat("NOT ", 10_000),
		"calls":      "SELECT " + strings.Repeat("f(", 10_000),
		"subscripts": "SELECT " + strings.Repeat("a[", 10_000),
	} {
		if _, err := Parse(sql, Any); !errors.Is(err, ErrTooDeep) {
			t.Errorf("%s: got %v, want ErrTooDeep", name, err)
		}
	}
}

func TestLongTextsAreRead(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 20_000 {
		values = append(values, fmt.Sprintf("(%d, 'x')", i))
	}
	if _, err := Parse("INSERT INTO t VALUES "+strings.Join(values, ", ")+"; SELECT "+strings.Repeat("a + ", 20_000)+"a", Any); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.sql, uint8(0))
	}
	f.Fuzz(func(t *testing.T, sql string, dialect uint8) {
		statements, err := Parse(sql, Dialect(dialect%5))
		if err == nil && len(statements) == 0 {
			t.Error("neither a statement nor an error")
		}
		for _, s := range statements {
			if len(s.Kinds) == 0 {
				t.Errorf("%q has a statement that does nothing", sql)
			}
		}
	})
}
