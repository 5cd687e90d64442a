/**
 * Rights and the roles that have them. Every command names the right that it needs. The tables of
 * docs/operations/operators.md on the documentation site are generated from these lists.
 */

export const roles = ['viewer', 'support', 'operator', 'admin'] as const
export type StaffRole = (typeof roles)[number]

/**
 * A client has no right: the admin API allows single operations on its own account (admin/client-scope.ts),
 * and no command.
 */
export const operatorRoles = [...roles, 'client'] as const
export type OperatorRole = (typeof operatorRoles)[number]

interface RightRow {
  /** The permitted actions, for documentation. */
  readonly allows: string
  readonly roles: readonly StaffRole[]
}

const everybody: readonly StaffRole[] = roles
const support: readonly StaffRole[] = ['support', 'operator', 'admin']
const operator: readonly StaffRole[] = ['operator', 'admin']
const admin: readonly StaffRole[] = ['admin']

export const rights = {
  read: { allows: 'list and show what exists, without personal data', roles: everybody },
  accounts: { allows: 'change settings of accounts', roles: support },
  senders: { allows: 'register senders, and approve, reject and block them', roles: support },
  webhooks: { allows: 'manage and test the webhooks of accounts', roles: support },
  suppression: { allows: 'add and remove recipients who opted out of advertisements', roles: support },
  sandbox: {
    allows:
      'see sandbox messages with numbers and contents, reply to them, and choose how sandbox routes behave',
    roles: support,
  },
  block: { allows: 'block and unblock accounts', roles: operator },
  credentials: {
    allows: 'create accounts, and create, replace and revoke their passwords, keys and tokens',
    roles: operator,
  },
  routes: { allows: 'manage and test routes, number ranges and templates', roles: operator },
  messages: {
    allows: 'decide on parked and held messages, cancel scheduled ones, and send test messages',
    roles: operator,
  },
  reveal: {
    allows:
      'see phone numbers, contents and proofs, with a reason, and set the URLs to which reports are pushed',
    roles: operator,
  },
  erase: { allows: 'erase personal data and delete files', roles: operator },
  audit: { allows: 'read, verify and export the audit log', roles: operator },
  trust: { allows: 'switch rules, and change limits and permissions of accounts', roles: admin },
  system: {
    allows: 'change keys of the installation, drop expired days, apply database roles',
    roles: admin,
  },
  operators: { allows: 'manage operators and their keys', roles: admin },
} as const satisfies Readonly<Record<string, RightRow>>

export type Right = keyof typeof rights

export function hasRight(role: OperatorRole, right: Right): boolean {
  return role !== 'client' && rights[right].roles.includes(role)
}
