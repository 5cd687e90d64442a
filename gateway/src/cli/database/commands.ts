/** Defines `postern database roles`. */
import { Option, type Command } from 'commander'
import { writeCommandAccess } from '../access.ts'
import { defineGroup, defineDatabaseCommand } from '../define.ts'
import { checked, readRolePrefix } from '../options.ts'
import type { RolesOptions } from './roles.ts'

export function defineDatabase(program: Command): void {
  const database = defineGroup(program, {
    name: 'database',
    summary: 'Manage database roles.',
    examples: ['database roles --print'],
  })
  defineDatabaseCommand(database, {
    name: 'roles',
    summary:
      'Create the database roles of processes, commands, viewers and auditors, and grant their rights.',
    details:
      'Run it as the table owner with the right to create roles, when no process of a previous version is running: it also revokes rights that only that version needed. `postern migrate --roles --logins` grants the rights and lets the roles log in. The roles own no table: workers create and drop days through functions of the owner.',
    options: [
      checked('--prefix <name>', 'prefix of the role names', readRolePrefix).default('postern'),
      new Option('--print', 'print the statements without running them'),
    ],
    access: writeCommandAccess('system'),
    examples: ['database roles', 'database roles --print > grants.sql'],
    failures: ['the database user cannot create roles or does not own the tables'],
    json: '{"roles":["postern_api","postern_worker","postern_cli","postern_admin","postern_viewer","postern_auditor"],"statements":["…"]}',
    databaseOnly: 'it changes database roles as the table owner',
    run: async (invocation, options: RolesOptions) =>
      (await import('./roles.ts')).applyRoles(invocation, options),
  })
}
