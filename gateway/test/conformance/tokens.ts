/** Tokens of any age, and whether one works. */
import assert from 'node:assert/strict'
import { createTokenKey } from '../../src/api/tokens/token.ts'
import type { AccountName } from './accounts.ts'
import type { Api } from './api.ts'
import { sms } from './request-bodies.ts'
import { account, sql, conformanceInstallation } from './installation.ts'

/** A token of the account as the gateway would have issued it at that moment. */
export async function tokenIssuedAt(name: AccountName, moment: Date): Promise<string> {
  const { base, accounts } = await conformanceInstallation()
  const { clientId } = accounts[name].credentials
  const [row] = await sql<{ id: number; epoch: number; credentialId: number }>(
    `select a.id, token_epoch as epoch, c.id as "credentialId" from accounts a join credentials c on c.account_id = a.id
      where client_id = $1`,
    [clientId],
  )
  const key = createTokenKey(base.environment.POSTERN_TOKEN_SECRET!, '00')
  const { id, epoch, credentialId } = row!
  return `Bearer ${key.issue(id, epoch, moment, { credentialId }).token}`
}

export async function works(api: Api, authorization: string): Promise<void> {
  const answer = await api.post('/v1/send/sms', sms(), authorization)
  assert.equal(answer.body.code, 'A000', answer.body.result)
}

/** Asks for a token with these headers, and with nothing that the client adds. */
export async function askWith(headers: Record<string, string>, query = '', body?: string): Promise<Response> {
  const { url } = await account('asker')
  return fetch(`${url}/v1/auth/token${query}`, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
