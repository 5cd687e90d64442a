/** The rules about what is stored of a message, in which form and for how long. They judge no message. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const safety = { text: 'PIPC notice 2026-9 on safety measures for personal data', date: '2026' }
const canaries = 'gateway/test/security/canaries.ts'

export const privacyRules = [
  {
    id: 'messages-encrypted',
    demands:
      'Recipients and texts are encrypted wherever they are stored, and a number can still be looked up. The law advises it; it is off unless the setting is on.',
    source: safety,
    isOffUnlessSet: true,
    settings: ['POSTERN_ENCRYPT_MESSAGES', 'POSTERN_MASTER_KEY'],
    enforcedAt: ['storage'],
    test: canaries,
  },
  {
    id: 'message-key-of-a-day',
    demands:
      'A data key encrypts the messages of one UTC day and is destroyed when their retention ends, which erases them in backups without the keys. The key of the blind index stays: with it and the master key, numbers can be tried.',
    source: { text: 'NIST SP 800-38D (at most 2³² uses of a key), and practice', date: '2007' },
    isOffUnlessSet: true,
    settings: ['POSTERN_RETENTION_DAYS'],
    enforcedAt: ['storage'],
    test: 'gateway/src/platform/encryption/message-cipher.test.ts',
  },
  {
    id: 'recipient-blind-index',
    demands:
      'Numbers are looked up by 16 bytes of an HMAC under a key of its own: in messages, traffic records and opt-outs with the account mixed in; in attempts without it, because a receipt names no account.',
    source: { text: 'practice of searchable encryption (CipherSweet, blind_index)', date: '2026' },
    enforcedAt: ['storage'],
    test: 'gateway/src/platform/encryption/blind-index.test.ts',
  },
  {
    id: 'traffic-record-kept',
    demands:
      'Which account sent from which number to whom and when is kept for 12 months, apart from content, and found by either number. Off unless the setting is above 0.',
    source: {
      text: 'Communications Secrets decree art. 41; whether it binds relays is for counsel',
      date: '2026',
    },
    isOffUnlessSet: true,
    settings: ['POSTERN_TRAFFIC_DAYS'],
    enforcedAt: ['storage'],
    test: 'gateway/src/commands/traffic/traffic.test.ts',
  },
  {
    id: 'no-secret-stored-in-clear',
    demands:
      'Passwords are stored as one-way hashes. With a master key no secret is in the database, the broker, Redis or a log in clear; without one, secrets and URLs of webhooks, options of routes, proofs of senders and the keys of HMACs are in the database in clear.',
    source: safety,
    settings: ['POSTERN_MASTER_KEY'],
    enforcedAt: ['storage'],
    test: canaries,
  },
] as const satisfies readonly EnforcedRule[]

export const omittedPrivacyRules: readonly OmittedRule[] = [
  {
    id: 'connection-addresses-kept',
    demands: 'Addresses from which clients connected are kept for 3 months.',
    source: { text: 'Communications Secrets decree art. 41', date: '2026' },
    omitted:
      'Only the last address of each credential is stored. Keep the logs of the proxy in front of the API.',
  },
  {
    id: 'identity-numbers-encrypted',
    demands:
      'Resident, passport, licence, alien, card and account numbers and biometrics are always encrypted.',
    source: safety,
    omitted:
      'The gateway has no field for them. Give only the number of a document as the proof of a sender, which is encrypted where there is a master key; texts of clients that may hold such numbers need POSTERN_ENCRYPT_MESSAGES.',
  },
  {
    id: 'forms-encrypted',
    demands: 'Registered forms are encrypted with the messages that are made of them.',
    source: safety,
    omitted: 'They hold texts with placeholders and no recipients; they are stored in clear.',
  },
]
