import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {readDocumentFile} from '../../../input/read-document-file.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {digestOf} from '../../../webhook/certify/index.ts'

/** Compares a certificate with its own SHA-256. @throws Failure INPUT_INVALID, EXPECTATION_FAILED */
export async function verifyCertificate(
  {printer}: Context,
  file: string,
): Promise<{readonly file: string; readonly sha256: string}> {
  const text = await readDocumentFile(file, LIMITS.suite.bytes)
  const certificate = parsed(text)
  if (certificate?.sha256 === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${file} is not a certificate as JSON.`,
      hint: advice`Write one with ${cardctl('webhook', 'certify', '--to', {value: 'URL'}, '--report', {value: 'json=FILE'})}`,
    })
  }
  const sha256 = digestOf(certificate)
  if (sha256 !== certificate.sha256) {
    throw new Failure('EXPECTATION_FAILED', {
      message: `${file} was changed: its data has the SHA-256 ${sha256}.`,
      hint: 'Ask for the certificate again.',
    })
  }
  const result = {file, sha256}
  await printer.data(result, () => `${file} is unchanged. SHA-256 ${sha256}`)
  return result
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
