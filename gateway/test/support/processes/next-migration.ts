/**
 * A sample migration of the next release for the tests of upgrades. It adds columns to tables that are written in
 * the meantime, a table with an index, and a value to a check.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from './program.ts'
import type { Migration } from '../../../../tools/release/expand-only.ts'

export const nextMigration: Migration = {
  name: '9999_next_release.sql',
  sql: `
    create table next_release (id integer primary key, note text not null);
    create index next_release_note on next_release (note);
    alter table messages add column next_release text;
    alter table in_flight add column next_release integer not null default 0;
    alter table waiting drop constraint waiting_reason_check;
    alter table waiting add constraint waiting_reason_check
      check (reason in ('owed', 'backlog', 'scheduled', 'retry', 'moved', 'rule', 'next-release')) not valid;
    alter table waiting validate constraint waiting_reason_check`,
}

/** Calls `work` with a directory that contains this release's migrations and the given ones. */
export async function withMigrations<T>(
  added: readonly Migration[],
  work: (directory: URL) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-migrations-'))
  try {
    cpSync(join(projectRoot, 'gateway/migrations'), directory, { recursive: true })
    for (const { name, sql } of added) writeFileSync(join(directory, name), sql)
    return await work(pathToFileURL(`${directory}/`))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
