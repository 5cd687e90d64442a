/**
 * `node gateway/tools/openapi-documents.ts <folder>` writes the OpenAPI documents of the npm package that are
 * not in git: the one for client generators and that of the admin API.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdminDocument } from '../src/admin/document.ts'
import { adminOperations, openOperations } from '../src/operations/operations.ts'
import { createClientDocument } from '../src/edge/api/reference/client-document.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node gateway/tools/openapi-documents.ts <folder>')
const documents = {
  'openapi.client.json': createClientDocument(),
  'openapi.admin.json': createAdminDocument(adminOperations, openOperations),
}
for (const [name, document] of Object.entries(documents))
  writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`)
