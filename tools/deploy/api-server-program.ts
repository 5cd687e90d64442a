/** Builds the API server of Kubernetes from its Go module once, because no program is published. */
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print, formatElapsed } from '../engines/print.ts'
import { goModule } from '../engines/go-module.ts'
import { toolsFolder } from '../engines/go-tool.ts'
import { kubernetesVersion } from './kubernetes.ts'
import { run } from '../engines/tools-root.ts'

export function apiServerProgram(): string {
  const program = join(toolsFolder, `kube-apiserver-${kubernetesVersion}`)
  if (existsSync(program)) return program
  const from = performance.now()
  print(`building the API server of Kubernetes ${kubernetesVersion} (ten minutes of two cores, once)`)
  const folder = mkdtempSync(join(tmpdir(), 'postern-kubernetes-'))
  try {
    cpSync(goModule('k8s.io/kubernetes', `v${kubernetesVersion}`), folder, { recursive: true })
    // Files of the module cache are read-only.
    run('chmod', ['-R', 'u+w', folder])
    rmSync(join(folder, 'go.work'), { force: true })
    const module = join(folder, 'go.mod')
    writeFileSync(module, publishedOnly(readFileSync(module, 'utf8')))
    run('go', [
      ...['-C', folder, 'build', '-mod=mod', '-ldflags', linkerFlags()],
      ...['-o', `${program}.new`, './cmd/kube-apiserver'],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  renameSync(`${program}.new`, program)
  print(`API server built (${formatElapsed(from)})`)
  return program
}

/**
 * Returns a go.mod that uses published modules. Parts of the Kubernetes repository are folders with version
 * v0.0.0 there; they are published as modules v0.x of the same release. Modules with a version such as
 * v0.0.0-20260210185600-b8788abfbbc2 belong to other repositories.
 */
export function publishedOnly(module: string): string {
  return module
    .replace(/^replace \([^)]*^\)/gm, '')
    .replace(/^replace .*$/gm, '')
    .replace(/^(\s+k8s\.io\/[\w.-]+) v0\.0\.0(?!-)/gm, `$1 v0.${kubernetesVersion.slice(2)}`)
}

/**
 * Helm compares the version of the server with the chart's requirement. Stripping symbols makes the program a
 * third smaller.
 */
function linkerFlags(): string {
  const [major, minor] = kubernetesVersion.split('.')
  const variables = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor }
  return [
    '-s -w',
    ...Object.entries(variables).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ')
}
