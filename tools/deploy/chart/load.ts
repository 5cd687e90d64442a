/** Loads an image from standard input: `docker push` of the page without a registry. */
import { readFileSync } from 'node:fs'
import { podmanWith } from './podman.ts'

podmanWith(readFileSync(0), 'load')
