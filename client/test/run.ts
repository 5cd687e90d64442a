/**
 * `npm run suite -- client:test [--runtime node,deno]` tests the package as it is published: on every runtime and
 * with the README program against a real gateway, and its types. Prints a line for each check, then
 * "N passed, N failed".
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile, toCommonJs } from '../../tools/release/package/compile.ts'
import { stage } from '../../tools/release/package/stage.ts'
import { checkTypes } from './check-types.ts'
import { openInstallation } from './installation.ts'
import { runtimes, type RuntimeName } from './runtimes.ts'

const { values } = parseArgs({ options: { runtime: { type: 'string' } } })
const names = [...(Object.keys(runtimes) as RuntimeName[]), 'types' as const]
const chosen = values.runtime?.split(',') ?? names
const unknown = chosen.filter((name) => !names.some((known) => known === name))
if (unknown.length > 0)
  throw new Error(`unknown runtime ${unknown.join(', ')}; choose from ${names.join(', ')}`)

const folder = mkdtempSync(join(tmpdir(), 'postern-client-'))
const library = 'node_modules/@postern/client'
stage('client', join(folder, library))
for (const [kind, path] of Object.entries({ module: folder, commonjs: join(folder, 'commonjs') })) {
  mkdirSync(join(path, 'test'), { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: kind }))
}
for (const name of ['scenario', 'start-process', 'start-worker']) {
  const { code } = compile(readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8'))
  // Edge runtimes do not resolve package names.
  writeFileSync(join(folder, `test/${name}.js`), code.replaceAll("'../src/", `'../${library}/dist/`))
  const withPackageName = code
    .replace("'../src/index.js'", "'@postern/client'")
    .replace("'../src/codes.js'", "'@postern/client/codes'")
  writeFileSync(join(folder, `commonjs/test/${name}.js`), toCommonJs(withPackageName))
}

let passed = 0
let failed = 0
const note = (name: string, lines: readonly string[]): void => {
  for (const line of lines) {
    if (line.startsWith('ok ')) passed++
    else failed++
    process.stdout.write(`${name}: ${line}\n`)
  }
}

const installation = await openInstallation()
try {
  for (const name of names.filter((known) => chosen.includes(known))) {
    if (name === 'types') {
      note(name, checkTypes(folder))
      continue
    }
    try {
      const output = await runtimes[name](folder, await installation.settings(name))
      note(name, output.trim().split('\n'))
    } catch (error) {
      note(name, [`FAILED to run: ${error instanceof Error ? error.message.slice(-2_000) : String(error)}`])
    }
  }
} finally {
  await installation.close(failed > 0)
  rmSync(folder, { recursive: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
