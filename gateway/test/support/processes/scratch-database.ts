/** A database of the test's own on the given PostgreSQL: made empty, dropped at the end. */
import pg from 'pg'

export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await asAdmin(serverUrl, `create database ${pg.escapeIdentifier(name)}`)
  return urlOf(serverUrl, name)
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  // Forced: a killed gateway's connections may not have been noticed yet.
  await asAdmin(serverUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

/** For looking at the tables from a test; one connection, closed at once. */
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
