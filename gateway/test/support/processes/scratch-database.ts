/** Creates and drops databases on the given PostgreSQL, and queries them from tests. */
import pg from 'pg'

export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await asAdmin(serverUrl, `create database ${pg.escapeIdentifier(name)}`)
  return urlOf(serverUrl, name)
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  // Forced: PostgreSQL may still have to notice that a killed gateway's connections are closed.
  await asAdmin(serverUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

/** Runs one statement on its own connection. */
export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  await query(urlOf(serverUrl, 'postgres'), statement)
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
