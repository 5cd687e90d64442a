/**
 * The driver's client, except that array parameters are serialized by `array-literal.ts`, which is faster, that it knows
 * since when it waits for a reply (`query-watch.ts`), and that it reports its statements to be counted.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { arrayLiteral } from './array-literal.ts'

export class BulkClient extends pg.Client {
  /** Identifies this connection in `pg_stat_activity`; a process id may be that of a pooler or of another server. */
  readonly applicationName: string
  /** When the statement began that has no reply yet, by `performance.now()`. */
  busySince: number | undefined
  /** Called with the name of every statement. */
  onStatement: ((name: string) => void) | undefined

  constructor(config: pg.ClientConfig = {}) {
    const applicationName = `postern ${randomBytes(6).toString('hex')}`
    super({ ...config, application_name: applicationName })
    this.applicationName = applicationName
    this.on('drain', () => (this.busySince = undefined))
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown
    // Assigned, because an override would have to repeat every one of the driver's signatures.
    this.query = ((statement: unknown, values: unknown, ...rest: unknown[]) => {
      this.busySince ??= performance.now()
      this.onStatement?.(statementName(statement))
      if (isNamed(statement)) return queryNamed(query, statement, rest[0] ?? values)
      return query(withLiterals(statement), literals(values), ...rest)
    }) as pg.Client['query']
  }

  /** Closes the connection without waiting for the server; the statement in progress fails with the error. */
  abandon(error: Error): void {
    this.connection.stream.destroy(error)
  }
}

interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

function isNamed(statement: unknown): statement is NamedStatement {
  const { name, text, values } = statement as Partial<NamedStatement>
  return name !== undefined && text !== undefined && Array.isArray(values)
}

type Callback = (error: Error | null, result?: pg.QueryResult) => void

/**
 * As the driver's own call with a configuration, without the copy that it makes of it by property descriptors, which took
 * 2 µs a message in a worker.
 */
function queryNamed(
  query: (...parameters: unknown[]) => unknown,
  { name, text, values }: NamedStatement,
  callback: unknown,
): Promise<pg.QueryResult> | undefined {
  const prepared = new pg.Query(text, literals(values) as unknown[])
  if (typeof callback === 'function') {
    query(Object.assign(prepared, { name, callback: callback as Callback }))
    return undefined
  }
  return new Promise((resolve, reject) => {
    const settle: Callback = (error, result) => (error === null ? resolve(result!) : reject(error))
    query(Object.assign(prepared, { name, callback: settle }))
  })
}

function withLiterals(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('values' in statement)) return statement
  return { ...statement, values: literals(statement.values) }
}

function literals(values: unknown): unknown {
  if (!Array.isArray(values)) return values
  return values.map((value: unknown) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value))
}

/** The name of a prepared statement; the first word of any other, so that the names are few. */
function statementName(statement: unknown): string {
  if (typeof statement === 'string') return firstWord(statement)
  const { name, text = '' } = statement as { readonly name?: string; readonly text?: string }
  return name ?? firstWord(text)
}

function firstWord(text: string): string {
  return /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? ''
}
