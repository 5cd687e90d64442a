/** Reads a password: asked for twice on a terminal, without showing it; otherwise the first line of standard input. */
import { FailedError } from '../errors.ts'
import { ask, readLine } from '../read-secret.ts'

export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY)
    return readLine(process.stdin, 'there is no password on standard input; give it there, or use --generate')
  const password = await ask(`New password of ${name}: `)
  if ((await ask('Again: ')) !== password)
    throw new FailedError('the two passwords differ; run the command again')
  return password
}
