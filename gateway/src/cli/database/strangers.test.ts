/**
 * A database user without any role of `postern database roles`, such as one for reports, gets no rights of
 * the owner.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'

const { database } = await createTestDatabase()
const stranger = `test_${randomBytes(5).toString('hex')}_stranger`
await database.query(`create role ${stranger}`)
addCleanup(() => database.query(`drop owned by ${stranger}; drop role ${stranger}`))

/** Assigning the number to `seq` calls a function of the other user. */
const trap = `
  create function pg_temp.trap(bigint) returns boolean language plpgsql as $$
    begin if $1 is not null then raise exception 'run as %', current_user; end if; return true; end $$;
  create domain pg_temp.trapped as bigint check (pg_temp.trap(value));
  create temp table copied (seq pg_temp.trapped, at timestamptz, database_user text, previous_hash bytea, hash bytea);
  create trigger chained before insert on copied for each row execute function audit_chain();
  insert into copied default values`

async function run(statements: string): Promise<void> {
  const client = await database.connect()
  try {
    await client.query(statements)
  } finally {
    client.release(true)
  }
}

test('the role public cannot call functions with owner rights after a migration', async () => {
  const open = await database.query(
    `select proname from pg_proc where prosecdef and pronamespace = current_schema()::regnamespace
        and has_function_privilege('${stranger}', oid, 'execute')`,
  )
  assert.deepEqual(open.rows, [])
  await assert.rejects(run(`set role ${stranger}; ${trap}`), { code: '42501', routine: 'aclcheck_error' })
})

test('the function that chains the audit log accesses no other table', async () => {
  await assert.rejects(run(trap), /audit_chain is for audit_log/)
})
