/** Creates a separate database on the given server, so that an artefact or a guide starts empty and leaves nothing behind. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createOwnDatabase(server: string): Promise<OwnDatabase> {
  const name = `artefact_${randomBytes(4).toString('hex')}`
  const run = async (statement: string) => {
    const client = new Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}
