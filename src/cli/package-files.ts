import {fileURLToPath} from 'node:url'
import pjson from '../../package.json' with {type: 'json'}

/** The root of the package, with package.json and the manifest of the commands. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Topics by id; colons join their words. */
export const topics: Readonly<Record<string, {readonly description: string}>> = pjson.oclif.topics

export const topicNames: readonly string[] = Object.keys(topics)
