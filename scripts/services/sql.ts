// Runs one statement on one of the PostgreSQL servers, without a proxy; returns text.

import { join } from 'node:path'
import { host } from './ports.ts'
import { ask } from './probe.ts'
import { programs } from './programs.ts'

/** Columns are separated by |. Throws when the server does not answer or reports an error. */
export async function sql(port: number, statement: string): Promise<string> {
  const { ok, output } = await ask({
    command: join(programs().postgres, 'psql'),
    args: ['-X', '-q', '-t', '-A', '-h', host, '-p', String(port), '-U', 'postgres', '-c', statement],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', PGCONNECT_TIMEOUT: '2' },
  })
  if (!ok) throw new Error(`PostgreSQL on port ${port} refused "${statement}": ${output}`)
  return output
}
