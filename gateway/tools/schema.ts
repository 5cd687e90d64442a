// `npm run schema` applies all migrations to a scratch database and writes the resulting schema to gateway/schema.sql.
// With `--check` it writes nothing and fails when the committed file differs. POSTERN_DATABASE_URL names the server.

import { readFileSync, writeFileSync } from 'node:fs'
import { describeSchema } from './schema/describe.ts'
import { findDrift } from './schema/drift.ts'
import { withMigratedDatabase } from './schema/scratch.ts'

const path = new URL('../schema.sql', import.meta.url)
const url = process.env.POSTERN_DATABASE_URL
if (url === undefined) throw new Error('POSTERN_DATABASE_URL is not set; run: npm run schema')

const schema = await withMigratedDatabase(url, describeSchema)
if (process.argv.includes('--check')) {
  const drift = findDrift(schema, readFileSync(path, 'utf8'))
  if (drift !== null) {
    process.stderr.write(`${drift}\n`)
    process.exitCode = 1
  }
} else {
  writeFileSync(path, schema)
}
