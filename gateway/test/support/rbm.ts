/** RCS submissions from requests as clients send them, and options of a route to RBM with a key of its own. */
import { generateKeyPairSync } from 'node:crypto'
import { contentOf } from '../../src/channels/content.ts'
import { Issues } from '../../src/channels/issues.ts'
import { channels } from '../../src/channels/registry.ts'
import type { Submission } from '../../src/connectors/connector.ts'
import type { RbmOptions } from '../../src/connectors/rbm/options.ts'
import { readOptions } from '../../src/connectors/registry.ts'
import { submission } from './smpp/fixtures.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export { publicKey }

/** The content of a key file. */
export function serviceAccount(fields: object = {}): string {
  const account = { type: 'service_account', client_email: 'agent@acme.example', private_key_id: 'k1' }
  return JSON.stringify({ ...account, private_key: privateKey, ...fields })
}

export function rbmOptions(overrides: object = {}): RbmOptions {
  const required = { serviceAccount: serviceAccount(), agentId: 'acme_agent', clientToken: 'client-token' }
  return readOptions('rbm', { ...required, ...overrides }) as unknown as RbmOptions
}

/** A body of `POST /v1/send/rcs`, checked and converted as the gateway does. */
export function rcsSubmission(body: object, overrides: Partial<Submission> = {}): Submission {
  const issues = new Issues('first')
  const { to, steps } = channels.rcs.draft(body, issues)
  if (issues.first !== undefined) throw issues.first
  const [given] = steps
  const message = contentOf(given!)
  if (message.channel !== 'rcs') throw new TypeError('not an RCS message')
  return submission({
    ...{ given: given!, message, to, from: message.content.from, part: null },
    files: channels.rcs.files(given!),
    ...overrides,
  })
}
