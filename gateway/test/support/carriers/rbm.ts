/** RCS submissions for tests of RBM, and the options of a route with a service account whose key is new in every run. */
import { generateKeyPairSync } from 'node:crypto'
import type { Submission } from '../../../src/carriers/connectors/connector.ts'
import type { RbmOptions } from '../../../src/carriers/connectors/rbm/options.ts'
import { readOptions } from '../../../src/carriers/connectors/registry.ts'
import { acceptedSend } from '../accepted.ts'

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

/** Converts a body of `POST /v1/send/rcs` to a submission. */
export function rcsSubmission(body: object, overrides: Partial<Submission> = {}): Submission {
  return acceptedSend('rcs', body, overrides)
}
