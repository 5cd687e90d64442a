import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBom, type LockedPackage } from './bom.ts'

const root = join(import.meta.dirname, '../../..')

test('the bill of materials lists every production dependency with version, license and hash', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const { dependencies, version } = JSON.parse(readFileSync(join(root, 'gateway/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    version: string
  }
  const bom = createBom(packages, 'gateway', '@postern/gateway')
  assert.equal(bom.metadata.component.version, version)
  const found = new Map(
    bom.components.map((component) => [`${component.name}@${component.version}`, component]),
  )
  for (const [name, exact] of Object.entries(dependencies)) {
    const component = found.get(`${name}@${exact}`)
    assert.ok(component !== undefined, name)
    assert.match(component.hashes![0]!.content, /^[0-9a-f]{128}$/)
    assert.ok(component.licenses![0]!.expression.length > 0)
  }
  for (const name of ['oxlint', 'typescript', 'oxfmt'])
    assert.equal(
      bom.components.some((component) => component.name === name),
      false,
      name,
    )
  assert.equal(
    found
      .get(`@fastify/multipart@${dependencies['@fastify/multipart']}`)!
      .purl.startsWith('pkg:npm/%40fastify/multipart@'),
    true,
  )
})
