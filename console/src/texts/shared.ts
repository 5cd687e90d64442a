import { en } from './en.ts'
import { ko } from './ko.ts'
import { defineTexts } from './texts.ts'

/** Of the frame and of shared components; a screen has its own beside it. */
export const shared = defineTexts(en, ko)
