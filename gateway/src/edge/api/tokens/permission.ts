import type { Credential } from '../../../identity/accounts/credential.ts'
import { Problem } from '../../../contract/problem.ts'

/** Returns the error for an expired credential: A100 at a login, A001 for a bearer credential. */
export function expiredCredentialProblem(code: 'A001' | 'A100', { kind, keyId }: Credential): Problem {
  const subject = kind === 'password' ? 'the password' : `key ${keyId}`
  return code === 'A100'
    ? new Problem('A100', `Invalid authentication information: ${subject} has expired; use its successor`)
    : new Problem('A001', `Expired token: ${subject} has expired; use its successor, or a token made from it`)
}

/** Throws A113 if the credential cannot be used from the address. Calls `address` only if needed. */
export function requireNetwork({ kind, keyId, networks }: Credential, address: () => string): void {
  if (networks === null || networks(address())) return
  const subject = kind === 'password' ? 'the password' : `key ${keyId}`
  throw new Problem(
    'A113',
    `Not permitted: ${subject} is not allowed from ${address()}; use an address from which it is allowed, or ask the operator to allow this one`,
  )
}
