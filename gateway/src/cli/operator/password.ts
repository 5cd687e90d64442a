/** Implements `postern operator password`. */
import type { AdminClient } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import { promptHidden, readLine } from '../read-secret.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'

export interface OperatorPasswordOptions {
  readonly generate?: true
}

export async function changePassword(
  admin: AdminClient,
  name: string,
  { generate }: OperatorPasswordOptions,
): Promise<Result> {
  const isOwn = generate !== true && (await admin.call('showMe', {})).name === name
  if (isOwn) {
    await admin.call('setOwnPassword', { body: { password: await readPassword(name), ...admin.reason } })
    return { json: { name, first: false }, lines: ['set; your sessions have ended'] }
  }
  const reason = admin.requireReason()
  const body = generate === true ? reason : { password: await readPassword(name), ...reason }
  const { password } = await admin.call('giveOperatorPassword', { params: { name }, body })
  const json = { name, first: true, ...(password === null ? {} : { password }) }
  const next = `${name} replaces the password at the next sign-in; sessions of ${name} have ended.`
  const once = 'The password is not stored and cannot be shown again.'
  return { json, lines: [...renderData(json), ...(password === null ? [] : [once]), next] }
}

/**
 * Prompts twice for the password on a terminal, without showing it. Otherwise it is the first line of
 * standard input.
 */
async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY)
    return readLine(process.stdin, 'no password on standard input; provide one, or use --generate')
  const password = await promptHidden(`New password of ${name}: `)
  if ((await promptHidden('Again: ')) !== password)
    throw new FailedError('the passwords do not match; run the command again')
  return password
}
