/**
 * Database users like those of an installation: one in each role of `postern database roles`, and one for a
 * process that is API and worker. Roles belong to the whole server, so the creator drops them after their
 * database.
 */
import pg from 'pg'
import { findGrantTargets } from '../../../src/cli/grant-roles.ts'
import { grantStatements } from '../../../src/identity/operators/database-grants.ts'
import { databaseRoles, type DatabaseRole } from '../../../src/identity/operators/table-rights.ts'

export type DatabaseUser = DatabaseRole | 'all'
const users: readonly DatabaseUser[] = [...databaseRoles, 'all']

/** Returns the URL of a user, with the password of the owner. */
export function createUserUrl(ownerUrl: string, prefix: string, user: DatabaseUser): string {
  const url = new URL(ownerUrl)
  url.username = `${prefix}_${user}`
  return url.href
}

export async function createDatabaseUsers(ownerUrl: string, prefix: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const { password } = new URL(ownerUrl)
    const secret = password === '' ? '' : ` password ${pg.escapeLiteral(decodeURIComponent(password))}`
    const statements = grantStatements({ prefix, ...(await findGrantTargets(client)) })
    const logins = [
      ...databaseRoles.map((role) => `alter role ${prefix}_${role} login${secret}`),
      `create role ${prefix}_all login${secret} in role ${prefix}_api, ${prefix}_worker`,
    ]
    await client.query([...statements, ...logins].join(';\n'))
  })
}

/** Revokes the users' rights in a database that is kept. */
export async function dropRights(ownerUrl: string, prefix: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`drop owned by ${names(prefix)}`))
}

/** Call after the database or the users' rights in it were dropped. */
export async function dropDatabaseUsers(serverUrl: string, prefix: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(`drop role if exists ${names(prefix)}`))
}

function names(prefix: string): string {
  return users.map((user) => `${prefix}_${user}`).join(', ')
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
