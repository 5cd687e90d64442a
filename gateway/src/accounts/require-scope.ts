/** Throws A113 when a credential is limited to other scopes: for endpoints, and for what only some requests of one need. */
import { Problem } from '../contract/problem.ts'
import type { Credential, Scope } from './credential.ts'

export function requireScope({ keyId, scopes }: Pick<Credential, 'keyId' | 'scopes'>, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return
  throw new Problem(
    'A113',
    `Not permitted: key ${keyId} has the scopes ${scopes.join(', ')}; this request needs ${scope}. Use another key, or ask the operator for one`,
  )
}
