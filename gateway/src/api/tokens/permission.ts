/** What a credential allows: checked when a token is issued and on every request. Each refusal says what to do next. */
import type { Credential } from '../../accounts/credential.ts'
import { Problem } from '../../contract/problem.ts'

/** A100 at the token endpoint, A001 elsewhere. */
export function endedProblem(code: 'A001' | 'A100', { kind, keyId }: Credential): Problem {
  const what = kind === 'password' ? 'the password' : `key ${keyId}`
  return code === 'A100'
    ? new Problem('A100', `Invalid authentication information: ${what} has expired; use its successor`)
    : new Problem('A001', `Expired token: ${what} has expired; use its successor, or a token made from it`)
}

/** Throws A113 when the credential may not be used from the address. `address` is called only if it matters. */
export function requireNetwork({ kind, keyId, networks }: Credential, address: () => string): void {
  if (networks === null || networks(address())) return
  const what = kind === 'password' ? 'the password' : `key ${keyId}`
  throw new Problem(
    'A113',
    `Not permitted: ${what} may not be used from ${address()}; use an address that the key allows, or ask the operator to allow this one`,
  )
}
