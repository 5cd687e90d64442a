/**
 * Rights of each database role on each table. Extend the list with every new table: a table that is not
 * listed fails a test (cli/database/roles.test.ts), and `postern database roles` grants nothing on it.
 */

/**
 * `api`, `worker` and `admin` are for processes. `cli` is for commands; `admin` inherits its rights. `viewer`
 * is for commands that change nothing and show no personal data, `auditor` for the audit log.
 */
export const databaseRoles = ['api', 'worker', 'cli', 'admin', 'viewer', 'auditor'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

/**
 * Privileges in the form of GRANT. `(visible)` stands for the columns that are not hidden, plus `xmin`, with
 * which caches detect changes. An omitted role has no privileges.
 */
export interface TableRights extends Partial<Readonly<Record<DatabaseRole, string>>> {
  readonly hidden?: readonly string[]
}

const read = 'select'
const readVisible = 'select (visible)'
const append = 'select, insert'
const upsert = 'select, insert, update'
const write = 'select, insert, update, delete'

/** Tables that operators change and processes read. */
const operatorManaged: TableRights = { api: read, worker: read, cli: write, viewer: read }
/** The state of workers, which commands show. */
const workerState: TableRights = { api: read, worker: write, cli: read, viewer: read }

export const tableRights: Readonly<Record<string, TableRights>> = {
  // Trust settings.
  account_advertising: operatorManaged,
  account_caps: operatorManaged,
  // Exempt numbers may belong to persons.
  account_protection: { ...operatorManaged, viewer: readVisible, hidden: ['safe_numbers'] },
  account_stops: { cli: upsert, viewer: read },
  account_trust: operatorManaged,
  quiet_hours: operatorManaged,
  // Proofs may name a person or a personal document; processes only use the state. Nothing deletes a sender,
  // because its history would be deleted with it.
  senders: {
    api: readVisible,
    worker: readVisible,
    cli: upsert,
    hidden: ['proof_kind', 'proof_reference', 'proof_issued'],
  },
  // Kept forever (control sender-history-kept). Commands re-encrypt the references under a new key, and change
  // nothing else.
  sender_changes: { cli: 'select, insert, update (proof_reference)' },
  trust_rules: operatorManaged,
  // Notifies the caches of processes of changes. The API and workers can increment only the version of opt-outs, through a
  // function of the owner; triggers increment those of blocked accounts and stopped batches.
  trust_versions: operatorManaged,

  // Accounts. A row is locked with the right to update one of its columns. A worker erases expired password
  // hashes through a function of the owner, because a user who can set a hash could log in as the account.
  // The API compares hashes of credentials.
  accounts: { api: read, worker: 'select, update (updated_at)', cli: write, viewer: read },
  credentials: { api: read, cli: write, viewer: readVisible, hidden: ['hash'] },
  credentials_version: { api: read, cli: 'select, update' },
  credential_uses: { api: upsert, cli: read, viewer: read },
  token_keys: { api: read, cli: 'select (visible), insert, update', viewer: readVisible, hidden: ['salt'] },

  // Routes. A worker encrypts options that were stored in plaintext.
  routes: {
    api: read,
    worker: 'select, update (options)',
    cli: write,
    viewer: readVisible,
    hidden: ['options'],
  },
  number_ranges: operatorManaged,
  rcs_templates: operatorManaged,
  route_results: workerState,
  route_states: { ...workerState, cli: 'select, delete' },

  // Messages. Functions of the owner drop the rows with their day.
  messages: { api: read, worker: upsert, cli: upsert },
  attempts: { api: read, worker: upsert, cli: 'select, update' },
  reports: { api: append, worker: append, cli: append },
  in_flight: {
    api: 'select, update, delete',
    worker: write,
    cli: write,
    viewer: readVisible,
    hidden: ['ref', 'results', 'payment_code', 'recipient_index', 'senders'],
  },
  waiting: { api: 'select, update, delete', worker: write, cli: write, viewer: read },
  batches: {
    api: write,
    worker: write,
    cli: 'select, update',
    viewer: readVisible,
    hidden: ['content', 'sealed', 'idempotency_key', 'fingerprint'],
  },
  batch_parts: { api: write, worker: 'select, delete' },
  batch_pages: {
    api: write,
    worker: write,
    cli: 'select, update',
    viewer: 'select (batch_id, part, page, msg_keys)',
  },
  batch_outcomes: { api: write, worker: write, cli: append, viewer: read },
  orphan_receipts: { worker: write, cli: 'select, update' },
  parked: { api: read, worker: write, cli: write },
  erasure_progress: { worker: upsert },
  traffic_records: { api: append, worker: append, cli: append },
  // The partition of records whose month has no partition yet.
  traffic_records_default: { worker: 'select, delete' },

  // Reports to clients.
  report_consumers: { api: upsert, cli: append },
  report_polls: { api: upsert, cli: read },
  report_sequences: { api: upsert, worker: upsert, cli: upsert, viewer: read },
  // Replies of recipients, from links of workers and requests to the API.
  replies: { api: append, worker: write, cli: 'select, insert, delete' },
  reply_consumers: { api: upsert, cli: append },
  reply_parts: { api: write, worker: write },
  reply_polls: { api: upsert },
  reply_sequences: { api: upsert, worker: upsert, cli: upsert, viewer: read },
  reply_series: { api: write, worker: write, cli: 'select, delete' },
  // A worker disables a webhook, erases expired secrets, and encrypts plaintext secrets.
  webhooks: {
    api: write,
    worker:
      'select, update (enabled, disabled_reason, disabled_at, secret, previous_secret, previous_until, url, encrypted_url)',
    cli: write,
  },
  webhook_cursors: { api: upsert, worker: 'select, update', cli: upsert },
  webhook_deliveries: { api: upsert, worker: write, cli: upsert },
  webhook_logs: { api: read, worker: upsert, cli: read },

  // SMPP for clients, with the rights of the API, because clients can reach its process.
  smpp_binds: { api: write, cli: read, viewer: read },
  smpp_series: { api: write },
  smpp_parts: { api: write },
  smpp_receipts: { api: write },

  // Data of clients.
  files: { api: write, worker: 'select, update, delete', cli: 'select, update, delete' },
  forms: { api: write, worker: 'select, delete', cli: read },
  // Recipients also opt out through their carriers; workers remove revoked opt-outs.
  recipient_choices: { api: upsert, worker: write, cli: write },
  recipient_choice_history: { api: append, worker: write, cli: append },
  suppression_counts: { api: upsert, worker: upsert, cli: upsert },

  // Counters. The admin API counts the test messages that it accepts.
  cap_counts: { api: upsert, worker: write, cli: read, admin: upsert, viewer: read },
  conversion_counts: { api: upsert, worker: write, cli: read, admin: upsert, viewer: read },
  conversions: { api: upsert, worker: write },
  gate_counts: { api: write, worker: write, cli: 'select, update', admin: upsert, viewer: read },
  ledger: { api: append, worker: write, cli: append, viewer: read },
  ledger_checks: { worker: upsert, cli: upsert, viewer: read },
  usage_days: { api: read, worker: upsert, cli: read, viewer: read },
  usage_deltas: { api: append, worker: write, cli: append, viewer: read },

  // Processes and the items that they own. Policies of the tables restrict the API to the rows of SMPP
  // servers.
  members: { api: write, worker: write, cli: read, viewer: read },
  owned: { api: write, worker: write, cli: read, viewer: read },

  // Keys. A row is locked with the right to update one of its columns; workers destroy those of past days.
  data_keys: {
    api: 'select, insert, update (created_at)',
    worker: 'select, insert, delete, update (created_at)',
    cli: write,
  },

  // Operators are changed by functions that check an operator key. The database sets number, time, writer and
  // hash of a row of the log.
  operators: { cli: read, viewer: read, auditor: read },
  operator_keys: { cli: readVisible, viewer: readVisible, hidden: ['hash'] },
  // Functions compare the hash of a password. Secrets of the second factor are encrypted; commands re-encrypt
  // them under a new key.
  operator_logins: {
    cli: readVisible,
    viewer: 'select (operator_id, password_initial, totp_at)',
    hidden: ['password_hash'],
  },
  operator_recovery_codes: {},
  // Functions begin sessions; a role that can end a session cannot begin one.
  operator_sessions: { cli: 'select, delete, update (used_at)' },
  audit_log: { worker: read, cli: append, auditor: read },
  audit_tail: { worker: read, cli: read, auditor: read },
  migrations: { api: read, worker: read, cli: read, viewer: read, auditor: read },
}

/** Roles that are allowed to call the functions that run with the rights of the owner. */
export const functionRights: Readonly<Record<string, readonly DatabaseRole[]>> = {
  operator_key_matches: ['cli', 'viewer'],
  add_operator: ['cli'],
  change_operator: ['cli'],
  add_operator_key: ['cli'],
  revoke_operator_key: ['cli'],
  set_operator_password: ['cli'],
  reset_operator_totp: ['cli'],
  operator_password_salt: ['cli'],
  read_operator_login: ['cli'],
  offer_operator_totp: ['cli'],
  replace_totp_secret: ['cli'],
  start_operator_session: ['cli'],
  // These functions trust the caller's claim about the person's identity, so a command could sign in as any
  // operator.
  start_provider_session: ['admin'],
  end_provider_sessions: ['admin'],
  count_wrong_code: ['cli'],
  ensure_day: ['worker', 'cli'],
  close_past_days: ['worker', 'cli'],
  drop_day: ['worker', 'cli'],
  erase_ended_credentials: ['worker'],
  raise_suppression_version: ['api', 'worker', 'cli'],
  ensure_traffic_month: ['worker'],
  drop_traffic_month: ['worker'],
  // Triggers call them, which needs no right.
  audit_chain: [],
  raise_batches_version: [],
}
