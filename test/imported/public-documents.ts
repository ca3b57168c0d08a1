import {createHash} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'

/** Public OpenAPI documents, which this project doesn't contain, by the SHA-256 of their text. */
export const PUBLIC_DOCUMENTS: Readonly<Record<string, string>> = {
  'accounting-a.yaml': '140f64f8e6bd2d8524b8ffdbffd08589d417efa5466ba57bfa04939a69ff6db8',
  'accounts-a.yaml': '230e97bb6f65d69079a52a1be33781e73a1303e3f86c087a94178e0c5598cd3d',
  'bank-data-a.yaml': 'fb8c3f188d8b1c917f2b184b720a96361f2ee72f5d595d189e8b4513a1d62930',
  'bank-data-b.yaml': 'd84c9c7abe5c997b2e35eacd09d56d846d811939fcd7c7de2f8fe5357797b785',
  'cards-a.yaml': '22b57f88941e774f5eb989a310a86dd176445410c64b94992bed49602f9d8594',
  'cards-b.yaml': '757678e933601f08b82ab0e298d810e20033215acb00d28cc75239ad57e2246b',
  'commerce-a.json': 'a9a4f10f229c7f3f5a33265d8a0412136d2fa49639c2390b59ff1fcc6bb4eb64',
  'files-a.json': '70adf696ed3955729f9c75d11f34658477c0ee143d9ff6252928f5bc0fa6d499',
  'messages-a.json': '99cae87a6bb1725f71363364cbd30282a13140374b2d5f9bdd5bdfa5d4c8a6d7',
  'orders-a.json': '4cc647244b3cc1e3244d26a685f3a94a64f53fa6828e533bdfde67f440b734c1',
  'payments-a.yaml': '06c84a8f0bb1c3bd82eb5c0b2a8cbedcb44079340a4692d569525aba2be0fe4b',
  'payments-b.yaml': '3be6160570b456891b0a526fd498dcf5575d4ad0a085e8177efe24261eb2c035',
  'payroll-a.yaml': 'cbba3714fc5f4c84885aeabd4b40836b9ae48032f355efa3249f6fda665c35b7',
  'platform-a.yaml': '1a3b215bca6838c070a1afb5f0c9b192ad150622e08c31b17fab612f4e7decd0',
  'verification-a.json': '976da0a42d57ad5e9007770570062d3095513a693a3db9fb521d6dae79edf2da',
}

/** The folder that CARDCTL_DOCUMENTS names has them. */
const folder = process.env.CARDCTL_DOCUMENTS

/** The path of a document; undefined if it isn't there. @throws if the file there is another one */
export function publicDocument(name: string): string | undefined {
  if (folder === undefined) return undefined
  const path = join(folder, name)
  if (!existsSync(path)) return undefined
  if (createHash('sha256').update(readFileSync(path)).digest('hex') === PUBLIC_DOCUMENTS[name]) return path
  throw new Error(`${name} in CARDCTL_DOCUMENTS is not the pinned document.`)
}
