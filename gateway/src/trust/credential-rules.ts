/** The rules on passwords, keys and the secrets of the installation. They judge logins and what is stored, not messages. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const practice = { text: 'Practice of API keys at Stripe, Unkey and Stigg', date: '2026' } as const
const guideline = {
  text: 'Guideline on sending qualification, second revision, part 2, second-hand',
  date: '2026-10',
} as const
const kms = { text: 'AWS KMS and Vault transit: envelope encryption', date: '2026' } as const

const keys = 'gateway/src/accounts/keys.test.ts'
const atLogin = ['authentication'] as const

export const credentialRules = [
  {
    id: 'key-per-client',
    demands:
      'An account has several keys, each with a prefix, an id, 256 random bits, scopes, networks, an end, its creator and its last use. A key is shown once, and stored as a SHA-256.',
    source: practice,
    enforcedAt: atLogin,
    test: keys,
  },
  {
    id: 'key-overlap',
    demands:
      'A key or password is replaced with an overlap of 0 to 168 hours, 24 unless given; another rotation meanwhile is refused unless it is forced.',
    source: practice,
    enforcedAt: ['command'],
    test: keys,
  },
  {
    id: 'ended-secret-erased',
    demands:
      'The hash of a credential that has ended or was revoked is erased, and its tokens are refused within two seconds.',
    source: practice,
    enforcedAt: ['storage', 'authentication'],
    test: 'gateway/src/accounts/ended.test.ts',
  },
  {
    id: 'token-key-ring',
    demands:
      'A token names the key that signed it. The newest key signs, each earlier one is accepted for 24 hours, or not at all after a leak.',
    source: { text: 'practice of signed tokens (JWKS)', date: '2026' },
    enforcedAt: atLogin,
    settings: ['POSTERN_TOKEN_SECRET'],
    test: 'gateway/src/api/tokens/key-ring.test.ts',
  },
  {
    id: 'ciphertext-bound',
    demands:
      'A ciphertext names its version and key, has a nonce or counter of its own and a tag, and is bound to its table, column and row: one that was copied elsewhere is not decrypted.',
    source: { text: 'NIST SP 800-38D; practice of envelope encryption', date: '2007' },
    enforcedAt: ['storage'],
    isOffUnlessSet: true,
    settings: ['POSTERN_MASTER_KEY'],
    test: 'gateway/src/platform/encryption/ciphertext.test.ts',
  },
  {
    id: 'login-flood-bounded',
    demands:
      'Checks of passwords are bounded by address, by client id and in all, so that a flood of made-up logins keeps no customer out.',
    source: { text: 'OWASP: credential stuffing and resource exhaustion', date: '2026' },
    enforcedAt: atLogin,
    settings: ['POSTERN_TOKEN_FAILURES_PER_MINUTE', 'POSTERN_TOKEN_ADDRESS_FAILURES_PER_MINUTE'],
    test: 'gateway/test/security/login-flood.ts',
  },
  {
    id: 'client-networks',
    demands:
      'Requests come from registered networks of the customer; other addresses, foreign ones among them, are refused. Set by credential (`--networks`).',
    source: guideline,
    enforcedAt: atLogin,
    isOffUnlessSet: true,
    settings: ['POSTERN_PROXY_HOPS'],
    test: keys,
  },
] as const satisfies readonly EnforcedRule[]

export const omittedCredentialRules: readonly OmittedRule[] = [
  {
    id: 'master-key-in-a-service',
    demands: 'The master key is kept in a key service (AWS KMS, Vault), which wraps the data keys.',
    source: kms,
    omitted:
      'The key is read from a file or the environment when a process starts: let an agent of the service write the file. Data keys are wrapped already, so that a key service can take the place of the file.',
  },
  {
    id: 'index-rotation',
    demands: 'The key of the blind index is replaced by keeping two indexes for a while.',
    source: { text: 'practice of searchable encryption (CipherSweet, blind_index)', date: '2026' },
    omitted:
      'The key has one generation. `postern secrets rekey` wraps it under the new master key; messages leave with their retention.',
  },
  {
    id: 'last-four-index',
    demands: 'A recipient is found by the last four digits of the number.',
    source: { text: 'practice of searchable encryption (CipherSweet, blind_index)', date: '2026' },
    omitted: 'Such an index tells more about a number than a whole one. Search by the whole number.',
  },
]
