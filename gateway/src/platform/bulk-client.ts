/** The driver's client, except that array parameters are serialized by `array-literal.ts`, which is faster. */
import pg from 'pg'
import { arrayLiteral } from './array-literal.ts'

export class BulkClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown
    // Assigned, because an override would have to repeat every one of the driver's signatures.
    this.query = ((statement: unknown, values: unknown, ...rest: unknown[]) =>
      query(withLiterals(statement), literals(values), ...rest)) as pg.Client['query']
  }
}

function withLiterals(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('values' in statement)) return statement
  return { ...statement, values: literals(statement.values) }
}

function literals(values: unknown): unknown {
  if (!Array.isArray(values)) return values
  return values.map((value: unknown) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value))
}
