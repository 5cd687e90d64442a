// `node tools/check/workflows-check.ts`: checks the workflows of GitHub with actionlint (syntax,
// expressions, shell) and zizmor (security). Neither is an npm package: Go builds actionlint once, and zizmor
// comes from PyPI.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { goTool } from '../engines/go-tool.ts'
import { run } from '../engines/tools-root.ts'
import { print } from '../engines/print.ts'

const zizmorFolder = '/var/tmp/postern-tools/zizmor'
const zizmorVersion = '1.32.0'

function zizmor(): string {
  const program = join(zizmorFolder, 'bin/zizmor')
  if (!existsSync(program)) {
    run('python3', ['-m', 'venv', zizmorFolder])
    run(join(zizmorFolder, 'bin/pip'), ['install', '--quiet', `zizmor==${zizmorVersion}`])
  }
  return program
}

const checks: Record<string, () => string> = {
  actionlint: () => run(goTool('actionlint', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'), []),
  zizmor: () => run(zizmor(), ['--offline', '--no-progress', '--quiet', '.github/workflows']),
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  try {
    check()
    print(`${name}: ok`)
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}`)
  }
}
print(`${Object.keys(checks).length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
