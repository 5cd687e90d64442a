/**
 * Who may do what: the rights, and the roles that have them. Every command names the right that it needs.
 * docs/operations/operators.md is generated from these lists. Pure.
 */

export const roles = ['viewer', 'support', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]

/**
 * A client has no right at all: the admin API gives it single operations on its own account (admin/client-scope.ts), and no command.
 */
export const operatorRoles = [...roles, 'client'] as const
export type OperatorRole = (typeof operatorRoles)[number]

interface RightRow {
  /** What it allows, for people. */
  readonly allows: string
  readonly roles: readonly Role[]
}

const everybody: readonly Role[] = roles
const support: readonly Role[] = ['support', 'operator', 'admin']
const operator: readonly Role[] = ['operator', 'admin']
const admin: readonly Role[] = ['admin']

export const rights = {
  read: { allows: 'list and show what exists, without personal data', roles: everybody },
  accounts: { allows: 'change settings of accounts', roles: support },
  senders: { allows: 'register senders, and approve, reject and block them', roles: support },
  webhooks: { allows: 'manage and test the webhooks of accounts', roles: support },
  suppression: { allows: 'enter and remove recipients who opted out of advertisements', roles: support },
  sandbox: {
    allows:
      'see and answer what was sent over routes of the sandbox, with numbers and contents, and choose how they behave',
    roles: support,
  },
  block: { allows: 'stop an account and let it send again', roles: operator },
  credentials: {
    allows: 'create accounts, and create, replace and revoke their passwords, keys and tokens',
    roles: operator,
  },
  routes: { allows: 'manage and try routes, and manage number ranges and templates', roles: operator },
  messages: {
    allows: 'decide on parked and held messages, cancel scheduled ones, and send test messages',
    roles: operator,
  },
  reveal: {
    allows: 'see phone numbers, contents and proofs, with a reason, and say where reports are pushed',
    roles: operator,
  },
  erase: { allows: 'erase personal data and delete files', roles: operator },
  audit: { allows: 'read, verify and export the audit log', roles: operator },
  trust: { allows: 'switch rules and change limits and what accounts may do', roles: admin },
  system: { allows: 'change keys of the installation, drop past days, apply database roles', roles: admin },
  operators: { allows: 'manage operators and their keys', roles: admin },
} as const satisfies Readonly<Record<string, RightRow>>

export type Right = keyof typeof rights

export function hasRight(role: OperatorRole, right: Right): boolean {
  return role !== 'client' && rights[right].roles.includes(role)
}
