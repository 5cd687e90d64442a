#!/usr/bin/env node
/**
 * The entry point of the `postern` program. Compiled code is cached between starts, which makes a restart
 * faster.
 */
import { enableCompileCache } from 'node:module'
import { privateCacheFolder } from './platform/compile-cache.ts'

// oxlint-disable-next-line postern/environment -- a variable of Node.js; nothing is loaded before the cache is chosen.
const folder = process.env.NODE_COMPILE_CACHE ?? privateCacheFolder()
if (folder !== null) enableCompileCache(folder)
await import('./cli.ts')
