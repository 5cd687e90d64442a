import assert from 'node:assert/strict'
import { createTokenKey } from '../../../src/edge/api/tokens/token.ts'
import type { AccountName } from './accounts.ts'
import type { ConformanceClient } from './api.ts'
import { sms } from './request-bodies.ts'
import { getAccountClient, sql, getConformanceInstallation } from './installation.ts'

/** Creates the token that the gateway would have issued to the account at `moment`. */
export async function createTokenIssuedAt(name: AccountName, moment: Date): Promise<string> {
  const { base, accounts } = await getConformanceInstallation()
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

export async function assertTokenWorks(api: ConformanceClient, authorization: string): Promise<void> {
  const response = await api.post('/v1/send/sms', sms(), authorization)
  assert.equal(response.body.code, 'A000', response.body.result)
}

/** Requests a token with only these headers. */
export async function requestTokenWith(
  headers: Record<string, string>,
  query = '',
  body?: string,
): Promise<Response> {
  const { url } = await getAccountClient('asker')
  return fetch(`${url}/v1/auth/token${query}`, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
