/** Definition of `postern database roles`. */
import { Option, type Command } from 'commander'
import { changes } from '../access.ts'
import { defineGroup, defineDatabaseCommand } from '../define.ts'
import { checked, readRolePrefix } from '../options.ts'
import type { RolesOptions } from './roles.ts'

export function defineDatabase(program: Command): void {
  const database = defineGroup(program, {
    name: 'database',
    summary: 'Manage who may do what in the database.',
    examples: ['database roles --print'],
  })
  defineDatabaseCommand(database, {
    name: 'roles',
    summary:
      'Create the database roles of processes, commands, viewers and auditors, and grant what each needs.',
    details:
      'Run it as the owner of the tables, who may create roles, when no process of a former version runs: it also revokes what only that version needed. `postern migrate --roles --logins` grants and lets the roles log in. They own no table: workers create and drop days by functions of the owner.',
    options: [
      checked('--prefix <name>', 'what the names of the roles begin with', readRolePrefix).default('postern'),
      new Option('--print', 'print the statements and change nothing'),
    ],
    access: changes('system'),
    examples: ['database roles', 'database roles --print > grants.sql'],
    failures: ['the database user may not create roles or does not own the tables'],
    json: '{"roles":["postern_api","postern_worker","postern_cli","postern_admin","postern_viewer","postern_auditor"],"statements":["…"]}',
    databaseOnly: 'it changes roles of the database as their owner',
    run: async (invocation, options: RolesOptions) =>
      (await import('./roles.ts')).applyRoles(invocation, options),
  })
}
