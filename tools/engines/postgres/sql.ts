import { join } from 'node:path'
import { host } from '../ports.ts'
import { runProbe } from '../probe.ts'
import { programs } from '../programs.ts'

/**
 * Runs a statement on the PostgreSQL server, or the proxy, of a port. Returns text with columns separated by |.
 * Throws if the server does not respond or reports an error.
 */
export async function sql(port: number, statement: string): Promise<string> {
  const { ok, output } = await runProbe({
    command: join(programs().postgres, 'psql'),
    args: ['-X', '-q', '-t', '-A', '-h', host, '-p', String(port), '-U', 'postgres', '-c', statement],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', PGCONNECT_TIMEOUT: '2' },
  })
  if (!ok) throw new Error(`"${statement}" failed on PostgreSQL on port ${port}: ${output}`)
  return output
}
