/** Tools can read the OpenAPI document, and generate types with good names from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdminDocument } from './document.ts'
import { page, record, text } from '../operations/fields.ts'
import { NamedSchemas } from './named-schemas.ts'
import { adminOperations, openOperations } from '../operations/operations.ts'

type Node = Readonly<Record<string, unknown>>

const document = createAdminDocument(adminOperations, openOperations)

function* nodesIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  yield node as Node
  for (const inner of Object.values(node)) yield* nodesIn(inner)
}

test('every reference has a target', () => {
  const references = [...nodesIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  assert.ok(references.length > 1_000, `${references.length} references`)
  for (const reference of new Set(references)) {
    const [, components, kind, name] = reference.split('/')
    assert.ok(Object.hasOwn((document[components!] as Record<string, Node>)[kind!]!, name!), reference)
  }
})

test('every operation has a named request and result, and shares its error responses', () => {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, requestBody, responses } = operation as {
      operationId: string
      requestBody?: { content: { 'application/json': { schema: Node } } }
      responses: Record<string, { $ref?: string; content?: Record<string, { schema: Node }> }>
    }
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    const result = responses['200']?.content?.['application/json']?.schema.properties as
      | { data: Node }
      | undefined
    const named = [
      requestBody?.content['application/json'].schema,
      result?.data,
      ...errors.map(([, error]) => error),
    ]
    for (const node of named) if (node !== undefined) assert.ok('$ref' in node, operationId)
  }
})

test('a titled schema is written once, and a second one with its title is refused', () => {
  const schemas = new NamedSchemas()
  const Pet = record({ title: text('Name') }, 'A pet', { title: 'Pet' })
  assert.deepEqual(schemas.write(page(Pet, 'Pets')), { $ref: '#/components/schemas/PetPage' })
  assert.deepEqual(Object.keys(schemas.components), ['Pet', 'PetPage'])
  assert.deepEqual(Object.keys((schemas.components.Pet as { properties: object }).properties), ['title'])
  const other = record({ age: text('Age') }, 'A pet', { title: 'Pet' })
  assert.throws(() => schemas.write(other), /two different schemas have the title Pet/)
})
