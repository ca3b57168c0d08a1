export const ASKED_OF_PAGES_OF_SET_UP: Readonly<Record<string, string>> = {
  'first-day.md': `
    real service, real credentials, get started bank, production access, go live, own service, bank,
    connect production, sandbox production, switch production, onboarding, first connection, try test system,
    check connection, service compatible, url token, credentials arrived now, begin bank, evaluate against api,
    connect new environment, set up access test system, sandbox works go, integration existing service,
    first steps, new service, begin, getting access, connect first time, initial setup,
    getting started own service, first steps after receiving token, url password now, begin real backend`,
  'first-day.md#Add a profile': 'put base url, type token, enter credentials, enter address service',
  'first-day.md#Check the connection': `
    token accepted, latency service, 401 service, authentication refused, doctor profile, reach service,
    works connection, 401 first, latency, quota shown, doctor output, credential refused first try,
    clock right`,
  'first-day.md#Find the differences': `
    fields different service, compare responses contract, html report differences, validate service,
    schema mismatch, deviations, unexpected response, vendor report, mismatch, service answers differently,
    fields not expected, report backend team`,
  'first-day.md#Compare the documents': `
    openapi compatible, breaking differences, diff documents, spec comparison, breaking before start,
    openapi against yours`,
  'first-day.md#Add commands': `
    own endpoints, extra commands, new commands, extra api, exchange rate, more commands specification`,
  "first-day.md#Use the service's own names": `
    field called otherwise, other word wallet, rename field, other field names, rename words,
    wallet network called otherwise`,
  'installation.md': `
    install, setup, download, apt, npm, windows, mac, node version, without node, offline install, docker
    image, container, uninstall, update, new version, remove cardctl, debian, command not found, not
    recognised command, newest version, latest version, node, docker, container image, pin version, version,
    requirements, supported systems, arm64, alpine, apt install, exe, without internet, air gapped, root
    needed, permission install, get cardctl, install all users, corporate laptop install, build package, node
    too old, EBADENGINE, glibc, rhel, centos, fedora, alpine linux, raspberry pi, system requirements,
    operating systems, offline server, OCI image, podman, command not found after install, path variable, set
    up, no internet, behind firewall install, linux server, ubuntu, musl, raspberry, homebrew, brew,
    chocolatey, winget, snap, download link, binary, executable, installer, root rights, without admin rights,
    company laptop, cannot install node, glibc too old, machine without network, no node server, install
    container, install linux, get onto machine, air-gapped server, no network access host, offline setup, npm
    homebrew, linux versions work, red hat alpine, not in PATH, cardctl not recognized, is not recognized as
    command, which cardctl, add to path, run without node, no internet install, proxy npm, rollout, intune,
    mdm, sccm, group policy, ansible, install on 200 pcs, silent install, deploy to desks, software center,
    push to all pcs`,
  'installation.md#Check what you got': `
    checksum, verify download, signature package, provenance, sha256sums, sbom, bill materials, reproducible
    build, slsa, trusted download, cyclonedx, sha256, signature release, genuine, authentic, reproducible,
    supply chain, gpg, manipulated download, download genuine, checksum archive, tampered way, who built file,
    signature, checksum mismatch, is this download genuine, tampered package, who signed`,
  'installation.md#A folder with its own runtime': `
    without node.js, tar.gz, standalone binary, portable, single folder, tarball, unpack, extract,
    bundled node, no node, standalone, own runtime, home directory install, symlink, usb stick, copy folder,
    server without node, no root rights, unpack run, unpack tarball, install one user without root,
    node too old, machine not reach internet, portable version, copy server hand`,
  'installation.md#On Debian': `
    ubuntu, deb package, apt repository, dpkg, .deb, sources.list, apt update, apt, apt-get, ansible,
    package manager, fleet rollout, debian package, deb file, install ubuntu, roll out servers`,
  'installation.md#With npm': `
    npm package, npx, global package, tgz, node 18, node run, npm install, global install, EBADENGINE,
    engine warning, node version, registry, wrong package, yarn, pnpm, bun, 
    other program by npx, engine not supported, dependency`,
  'installation.md#From a clone': `
    git clone, build source, npm ci, npx cardctl works only folder, compile, own build, package windows,
    package mac, cross build, git checkout, make package myself, build windows`,
  'installation.md#Upgrade': `
    upgrade, update, old data after upgrade, newer version, downgrade, update itself, auto update, migrate new
    version, changelog, update version, roll back version, previous version, older version, keep data,
    migration data, new release broken, compatible data, pin version, go back old version, new version broke,
    return previous release, upgrade steps, undo upgrade, keep profiles after upgrade, move next version, data
    kept update, older release, go back after update, go back older version, latest version, what version,
    upgrade keep data, is there a new release, bad update, roll back, rollback, broken after upgrade,
    reinstall older`,
  'installation.md#Completion': `
    tab nothing, zsh, fish, tab completion, complete ids, shell completion, autocomplete not work, tab key,
    complete commands, suggestions shell, autocomplete commands shell`,
  'installation.md#macOS and Windows': `
    windows, macos, powershell, homebrew, wsl, windows 11, cmd.exe, network drive, nfs, mac, macbook, cmd, exe,
    apple silicon, wine, network share, cmd file, run mac`,
  'installation.md#Uninstall': `
    uninstall, remove program, get rid, remove all files, clean removal, leave nothing behind, deinstall,
    leftover files, purge, delete everything, get off computer, remove program all data, remains after removal,
    delete completely`,
}
