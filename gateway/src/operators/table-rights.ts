/**
 * What each database role may do with each table: the list to extend with a new table. A table that is not listed fails a test
 * (commands/database/roles.test.ts), and `postern database roles` grants nothing on it. Pure data.
 */

/**
 * `api`, `worker` and `admin` are for processes. `cli` is for commands; `admin` inherits its rights. `viewer` is for commands
 * that change nothing and show no personal data, `auditor` for the audit log.
 */
export const databaseRoles = ['api', 'worker', 'cli', 'admin', 'viewer', 'auditor'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

/**
 * Privileges as GRANT writes them; `(visible)` stands for the columns that are not hidden, with `xmin`, by which caches notice a
 * change. A role that is left out has none.
 */
export interface TableRights extends Partial<Readonly<Record<DatabaseRole, string>>> {
  readonly hidden?: readonly string[]
}

const read = 'select'
const readVisible = 'select (visible)'
const append = 'select, insert'
const upsert = 'select, insert, update'
const write = 'select, insert, update, delete'

/** Decided by operators: processes obey it. */
const decided: TableRights = { api: read, worker: read, cli: write, viewer: read }
/** The state of workers, which commands show. */
const ofWorkers: TableRights = { api: read, worker: write, cli: read, viewer: read }

export const tableRights: Readonly<Record<string, TableRights>> = {
  // Who may send what.
  account_advertising: decided,
  account_caps: decided,
  // Numbers that are exempt may be of persons.
  account_protection: { ...decided, viewer: readVisible, hidden: ['safe_numbers'] },
  account_stops: { cli: upsert, viewer: read },
  account_trust: decided,
  quiet_hours: decided,
  // Proofs may name a person or a document of one: processes judge by the state alone. Nothing deletes a sender, with which its history
  // would go.
  senders: {
    api: readVisible,
    worker: readVisible,
    cli: upsert,
    hidden: ['proof_kind', 'proof_reference', 'proof_issued'],
  },
  // Kept without an end (rule sender-history-kept). Commands encrypt the references again under a new key, and change nothing else.
  sender_changes: { cli: 'select, insert, update (proof_reference)' },
  trust_rules: decided,
  // Tells the caches of processes that something has changed. Processes raise that of opt-outs alone, by a function of the owner.
  trust_versions: decided,

  // Accounts. A row is locked with the right to update one of its columns. A worker erases what remains of passwords that have ended
  // by a function of the owner: who could set a hash could log in as the account. The API compares with the hashes of credentials.
  accounts: {
    api: read,
    worker: 'select, update (updated_at)',
    cli: write,
    viewer: read,
  },
  credentials: { api: read, cli: write, viewer: readVisible, hidden: ['hash'] },
  credentials_version: { api: read, cli: 'select, update' },
  credential_uses: { api: upsert, cli: read, viewer: read },
  token_keys: { api: read, cli: 'select (visible), insert, update', viewer: readVisible, hidden: ['salt'] },

  // Routes. A worker encrypts options that were stored in clear.
  routes: {
    api: read,
    worker: 'select, update (options)',
    cli: write,
    viewer: readVisible,
    hidden: ['options'],
  },
  number_ranges: decided,
  rcs_templates: decided,
  route_results: ofWorkers,
  route_states: { ...ofWorkers, cli: 'select, delete' },

  // Messages. Rows leave with their day, by functions of the owner.
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
  orphan_receipts: { worker: write, cli: 'select, update' },
  parked: { api: read, worker: write, cli: write },
  erasure_progress: { worker: upsert },
  traffic_records: { api: append, worker: append, cli: append },
  // A partition: what has no month yet.
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
  // A worker disables a webhook, erases secrets that have ended, and encrypts what was stored in clear.
  webhooks: {
    api: write,
    worker:
      'select, update (enabled, disabled_reason, disabled_at, secret, previous_secret, previous_until, url, encrypted_url)',
    cli: write,
  },
  webhook_cursors: { api: upsert, worker: 'select, update', cli: upsert },
  webhook_deliveries: { api: upsert, worker: write, cli: upsert },
  webhook_logs: { api: read, worker: upsert, cli: read },

  // SMPP for clients. The API's rights: its process is one that clients can reach.
  smpp_binds: { api: write, cli: read, viewer: read },
  smpp_series: { api: write },
  smpp_parts: { api: write },
  smpp_receipts: { api: write },

  // What clients store.
  files: { api: write, worker: 'select, update, delete', cli: 'select, update, delete' },
  forms: { api: write, worker: 'select, delete', cli: read },
  // Recipients also opt out through their carriers; workers remove what was taken back.
  recipient_choices: { api: upsert, worker: write, cli: write },
  recipient_choice_history: { api: append, worker: write, cli: append },
  suppression_counts: { api: upsert, worker: upsert, cli: upsert },

  // Counts. The admin API counts the test messages that it accepts.
  cap_counts: { api: upsert, worker: write, cli: read, admin: upsert, viewer: read },
  conversion_counts: { api: upsert, worker: write, cli: read, admin: upsert, viewer: read },
  conversions: { api: upsert, worker: write },
  gate_counts: { api: write, worker: write, cli: 'select, update', admin: upsert, viewer: read },
  ledger: { api: append, worker: write, cli: append, viewer: read },
  ledger_checks: { worker: upsert, cli: upsert, viewer: read },
  usage_days: { api: read, worker: upsert, cli: read, viewer: read },
  usage_deltas: { api: append, worker: write, cli: append, viewer: read },

  // Processes that own something, and what they own. Policies of the tables restrict the API to the rows of SMPP servers.
  members: { api: write, worker: write, cli: read, viewer: read },
  owned: { api: write, worker: write, cli: read, viewer: read },

  // Keys. A row is locked with the right to update one of its columns; workers destroy those of days that are past.
  data_keys: {
    api: 'select, insert, update (created_at)',
    worker: 'select, insert, delete, update (created_at)',
    cli: write,
  },

  // Operators are changed by functions that check the key of an operator. The database sets number, time, writer and hash of a row
  // of the log.
  operators: { cli: read, viewer: read, auditor: read },
  operator_keys: { cli: readVisible, viewer: readVisible, hidden: ['hash'] },
  // The hash of a password is compared by functions. Secrets of the second factor are encrypted; commands encrypt them again under a new key.
  operator_logins: {
    cli: readVisible,
    viewer: 'select (operator_id, password_initial, totp_at)',
    hidden: ['password_hash'],
  },
  operator_recovery_codes: {},
  // Begun by functions; whoever may end one cannot begin one.
  operator_sessions: { cli: 'select, delete, update (used_at)' },
  audit_log: { worker: read, cli: append, auditor: read },
  audit_tail: { worker: read, cli: read, auditor: read },
  migrations: { api: read, worker: read, cli: read, viewer: read, auditor: read },
}

/** Who may call the functions that run with the rights of the owner. */
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
  // These functions trust their caller that the provider vouches for the person, so a command could sign in as any operator.
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
  // Called by a trigger, which needs no right.
  audit_chain: [],
}
