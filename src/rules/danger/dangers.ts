import type { RiskKind } from '../../shared/transcript/transcript';
import type { Reading } from '../line/programs';

/*
 * Which words of which programs destroy something. An entry has the program, its verbs in order, and the options that
 * make it destructive; `|` separates alternatives, `*` is any word, and `!` comes before an option that makes it
 * harmless. An option of one letter also counts among others (`-xf`), one with a name also when it is abbreviated.
 */
const table: Readonly<Partial<Record<RiskKind, string>>> = {
  deletes: `
    srm|wipe|rimraf|trash|trash-put|del-cli|rm-rf|rmtree|rmrf|nuke|trash-cli|trash-empty|trash-rm|rmtrash|rip|move-to-trash|macos-trash
    safe-rm|rm-improved|rem|trashy|recycle-bin|empty-trash|empty-trash-cli|gvfs-trash|gvfs-rm
    gio trash|remove !--list
    rm-cli|npkill|rmw|gomi|saferm|rm-trash|swift-trash|dolphin-trash|rimraf-standalone
    kioclient|kioclient5|kioclient6 remove
    rsync --delete|--delete-before|--delete-after|--delete-during|--delete-excluded|--remove-source-files|--del
    del|erase|rd|rmdir|ri|remove-item|deltree /s|-r|-re|-rec|-recu|-recur|-recurs|-recurse
    robocopy /mir|/purge|/move|/mov
    7z d
    7z -sdel
    rar d|m|mf
    rar -df|-dr|-dw
    arj|lha|lharc|zoo|arc d|m
    lha|lharc -m|-d
    zip -d|--delete|-m|--move
    tar|bsdtar|gtar --remove-files|--delete|--recursive-unlink|--unlink-first|-U
    brotli -j|--rm
    ar d
    tmutil delete
    rclone delete|purge|sync|move|deletefile|rmdirs|cleanup
    make|ninja|just|task|rake|mage nuke|purge|reset|wipe|destroy|undeploy|uninstall|drop
    bazel clean --expunge
    cmake remove|remove_directory -E
    conda|mamba|micromamba|pyenv|rbenv|nvm|volta|asdf|rustup uninstall|remove
    p4 revert|delete|clean|obliterate
    emerge --depclean|--unmerge
    defaults delete
    reg delete|import
    vssadmin|wbadmin delete
    sdelete|sdelete64
    xattr -c|-d
    crontab -r
    userdel|deluser|groupdel|delgroup
    apt|dnf|yum|apk|zypper|brew|snap|flatpak|choco|winget|scoop|pkg|port remove|purge|autoremove|uninstall|del|erase|zap|rm|delete|cleanup|autoclean|clean
    pacman -R|-Rs|-Rns|-Rsc|-Sc|-Scc
    dpkg -r|-P|--remove|--purge
    pip|uv|poetry|pipx|gem|conda uninstall|remove|purge
    npm|pnpm uninstall|remove|rm|un -g|--global
    expo prebuild --clean
    adb uninstall
    adb shell rm|pm
    xcrun simctl erase|delete
    simctl erase|delete
    vagrant destroy
    multipass delete|purge
    virsh destroy|undefine|vol-delete|pool-destroy|snapshot-delete
    vboxmanage unregistervm|closemedium
    lxc|incus delete
    machinectl remove|clean
    limactl|colima delete|prune|factory-reset
    minikube delete
  `,
  discards: `
    svn delete|del|remove|rm|revert|cleanup
    hg purge|strip|revert|rollback
    hg update|up|checkout|co -C|--clean
    jj abandon|restore|undo
    jj op|operation restore|undo
    fossil clean|revert|undo
    rclone bisync
    patch -R|--reverse
  `,
  disk: `
    dd|fdisk|gdisk|sfdisk|cfdisk|sgdisk|parted|diskutil|diskpart|wipefs|mkswap|format|format-volume|clear-disk|newfs|blkdiscard|hdparm|badblocks
    mkfs|mke2fs|mkntfs|mkdosfs|resize2fs|e2fsck|fsck|tune2fs|zpool|zfs|btrfs|lvremove|vgremove|pvremove|lvreduce|mdadm|cryptsetup|swapoff|losetup
    initialize-disk|remove-partition|bcdedit|bootrec|cipher|efibootmgr|flashrom|fastboot|esptool|esptool.py|avrdude|dfu-util
  `,
  permissions: `
    chmod|chown|chgrp|chattr|setfacl -R|--recursive
    icacls|takeown|cacls|attrib /t|/r|/s|/reset
  `,
  elevates: `
    sudo|doas|su|runas|pkexec|gosu|su-exec|sudoedit|gsudo|runuser|psexec
    start-process -verb
  `,
  erases: `
    shred|truncate|clear-content|ccrypt|ccencrypt|scrub|nwipe|sfill|mkfile|bleachbit
    fallocate -p|-c|-z|--punch-hole|--collapse-range|--zero-range
  `,
  database: `
    dropdb|dropuser|pg_resetwal|pg_dropcluster
    pg_restore -c|--clean
    redis-cli flushall|flushdb|del|unlink|shutdown|script|config|debug
    mysqladmin drop
    mongorestore --drop
    prisma migrate reset
    prisma db push --force-reset|--accept-data-loss
    prisma db execute
    sequelize|sequelize-cli db:drop|db:migrate:undo|db:migrate:undo:all|db:seed:undo|db:seed:undo:all
    knex migrate:rollback|migrate:down|migrate:unlock
    typeorm schema:drop|migration:revert|schema:sync
    typeorm-ts-node-commonjs|typeorm-ts-node-esm schema:drop|migration:revert|schema:sync
    drizzle-kit drop|push
    mikro-orm schema:drop|schema:fresh|migration:down|migration:fresh|database:create
    alembic downgrade|stamp
    flask db downgrade|stamp
    hasura migrate apply --down
    flyway clean|undo
    liquibase drop-all|dropAll|rollback
    dbmate drop|rollback|down
    goose down|reset|down-to
    migrate down|drop|force
    rails|rake|bin/rails db:drop|db:drop:all|db:reset|db:migrate:reset|db:rollback|db:purge|db:truncate_all|db:setup|db:schema:load|db:migrate:down|db:seed:replant|tmp:clear|destroy|d
    manage.py flush|sqlflush|reset_db|reset_schema
    django-admin flush|reset_db
    artisan migrate:fresh|migrate:reset|migrate:rollback|migrate:refresh|db:wipe|cache:clear|queue:flush|queue:clear|telescope:clear
    doctrine orm:schema-tool:drop|doctrine:database:drop|doctrine:schema:drop
    console doctrine:database:drop|doctrine:schema:drop
    mix ecto.drop|ecto.reset|ecto.rollback
    diesel database reset
    diesel migration revert|redo
    sqlx database drop|reset
    sqlx migrate revert
    sea-orm-cli migrate fresh|refresh|reset|down
    dotnet ef database drop
    dotnet-ef database drop
    supabase db reset|push
    supabase stop --no-backup
    supabase projects|functions|branches|secrets|storage delete|unset|rm
    hasura metadata clear
    influx delete
    influx bucket|org delete
    etcdctl del
    consul kv delete
    vault delete|destroy
    vault kv|secrets|auth|policy|token|lease delete|destroy|disable|revoke|metadata
    rabbitmqctl reset|force_reset|delete_queue|delete_vhost|delete_user|purge_queue
    rabbitmqadmin delete|purge
    kafka-topics|kafka-topics.sh|kafka-delete-records|kafka-consumer-groups|kafka-consumer-groups.sh --delete|--delete-offsets|--reset-offsets
    nodetool decommission|removenode|clearsnapshot
    curator|curator_cli
    bq rm
    bq load --replace
  `,
  infrastructure: `
    kubectl delete|drain|taint|cordon
    kubectl replace --force
    kubectl apply --prune
    kubectl scale|autoscale
    kubectl rollout undo
    kubectl patch|edit|set
    terraform destroy|taint|force-unlock|apply|import
    terraform state rm|mv|push|replace-provider
    terraform workspace delete
    terraform run-all destroy|apply
    pulumi destroy|down|cancel|rm
    pulumi up|update|refresh -y|--yes|-f|--skip-preview
    pulumi stack rm
    pulumi state delete|unprotect
    cdk|cdktf|cdk8s destroy
    cdk deploy --force|--require-approval
    sst|sst.dev remove|rm
    serverless|sls remove
    serverless|sls deploy --force
    sam delete
    copilot delete
    copilot app|svc|env|job|pipeline delete
    eb terminate
    amplify delete|remove
    docker prune
    docker rm|rmi
    docker system|volume|image|container|network|builder|buildx|context|secret|config|stack|service|swarm|node|plugin|manifest rm|remove|prune|leave|rmi
    docker compose down -v|--volumes|--rmi
    docker compose down|rm -v|--volumes|-f|--force|-s|--stop|--rmi
    docker compose rm
    docker buildx prune|rm
    docker swarm leave
    crictl rm|rmi|rmp
    ctr images|containers|tasks|snapshots rm|delete|remove|prune
    skopeo delete
    helm uninstall|delete|un|del|rollback
    helmfile destroy|delete
    kustomize|skaffold|tilt|devspace delete|down|purge
    argocd app delete|rollback|terminate-op
    flux delete|uninstall
    istioctl|linkerd uninstall|x
    knife node|client|cookbook|role|environment delete|bulk
    packer build -force
    nomad job|system|namespace|volume stop|gc|delete
    consul leave|force-leave
    aws s3 rm|rb|mv
    aws s3 sync --delete
    gsutil rm|rb|mv
    gsutil rsync -d
    azcopy rm|remove
    azcopy sync --delete-destination
    s3cmd|s5cmd|mc del|rm|rb|sync|mv|mirror
    b2 delete-file-version|delete-bucket|rm
    gh repo delete|archive|rename|edit|sync
    gh pr merge|close
    gh issue close|transfer|lock
    gh release|issue|gist|run|secret|variable|label|cache|ssh-key|gpg-key|codespace|project|ruleset|workflow|repo|extension|environment delete|delete-asset|item-delete|remove|disable|cancel|unarchive
    gh auth logout|token|refresh
    glab repo|mr|issue|release|variable|ci|label|ssh-key delete|close|merge|transfer
    glab api -X|--method
    heroku apps:destroy|apps:delete|destroy|pg:reset|addons:destroy|pg:copy|pg:restore|config:unset|domains:remove|ps:scale|pipelines:destroy|releases:rollback|rollback
    fly destroy
    fly apps|machine|machines|volumes|volume|postgres|ips|certs|secrets|storage destroy|delete|remove|release|unset|detach
    vercel remove|rm|rollback
    vercel env|domains|alias|dns|secrets|project|projects|teams|blob rm|remove|del
    netlify sites:delete|env:unset|unlink
    wrangler delete|rollback
    wrangler kv:key|kv:namespace|kv|r2|d1|queues|secret|pages|vectorize|hyperdrive delete|remove|rm|bulk|execute|object|key|namespace|bucket
    firebase hosting:disable|firestore:delete|database:remove|functions:delete|projects:delete|apps:delete|auth:import|database:set|firestore:indexes
    railway down|delete|unlink
  `,
  publishes: `
    npm|pnpm|yarn|bun|cargo|poetry|uv|flit|hatch|lerna|nx|vsce|ovsx|mvn|gradle|gradlew|helm|dart|flutter|wasm-pack|changeset|jsr|deno|pdm|rye|pixi|gh ~publish|unpublish|deprecate|yank|deploy:deploy|release:perform|publishToMavenCentral|uploadArchives !--dry-run
    npm|pnpm|yarn owner|access|team|dist-tag|token|org|profile add|rm|remove|grant|revoke|create|destroy|set|public|restricted
    twine upload
    gem|nuget|pod|trunk push|yank|trunk
    dotnet nuget push|delete
    cargo owner --add|-a|--remove|-r
    np|release-it|semantic-release|standard-version|auto !--dry-run
    goreleaser release !--snapshot
    docker|skopeo|crane|oras push|copy
    docker buildx|build --push
    fastlane *
    eas submit|update
    expo publish
    firebase deploy
    vercel deploy --prod
    vercel --prod
    netlify deploy --prod|-p
    wrangler publish|deploy
    gh release create|upload|edit
    mvn|gradle|gradlew ~deploy
    serverless|sls|sam|cdk|sst|amplify|copilot|eb|fly|flyctl|railway|heroku deploy|publish
    gcloud app|functions|run deploy
    supabase functions deploy
  `,
  configures: `
    npm|pnpm|yarn config|c set|delete|rm|edit|fix|unset
    npm|pnpm set
    pip config set|unset|edit
    poetry|composer|bundle config *
    go env -w|-u
    conda config --set|--add|--append|--prepend|--remove
    direnv allow|permit|edit|reload
    mise trust|use|settings|set
    husky install|add|set|init|uninstall
    husky-init|yorkie|ghooks|mrm|npm-add-script|npe|add-mcp|create-husky-init
    npm|pnpm|yarn|bun init|create husky-init|husky
    npm|pnpm set-script|login|adduser|add-user|logout|approve-builds|approve-scripts|setup
    yarn npm login|logout
    yarn set version|resolution
    yarn plugin import|remove
    yarn policies|login|logout
    bun pm trust
    conda|mamba|micromamba init
    mamba|micromamba shell init
    gh auth login|setup-git
    glab auth login|logout
    aws eks update-kubeconfig
    gcloud container clusters get-credentials
    gcloud auth login|activate-service-account|revoke
    az aks get-credentials
    devcontainer templates|features apply
    brew services start|run|restart
    dotnet nuget add|update|remove|enable|disable
    prek install|uninstall|init-templatedir
    captainhook|githooks install|uninstall
    overcommit --install|--uninstall
    lefthook install|uninstall|add
    pre-commit install|uninstall|init-templatedir|autoupdate|migrate-config
    simple-git-hooks
    code|code-insiders|codium|cursor|windsurf --install-extension|--uninstall-extension|--add-mcp
    gh alias set|delete|import
    gh extension install|remove|upgrade
    gh config set
    gh secret|variable set
    aws|gcloud|az configure|config
    kubectl config set|set-context|set-credentials|set-cluster|use-context|delete-context|delete-cluster|unset|delete-user|rename-context
    docker context use|rm|create|update
    crontab *
    crontab -e
    at|batch
    systemctl enable|link|edit|set-default|import-environment|set-environment|daemon-reexec
    launchctl load|bootstrap|enable|submit|setenv
    schtasks /create|/delete|/change
    chsh|usermod|passwd|visudo|vipw|adduser|useradd|chpasswd
    reg add
    setx
    defaults write
    git-crypt|git-secret
    claude|codex|gemini|qwen mcp add|remove|add-json|add-from-claude-desktop|import
    claude config set|add|remove
    claude plugin|plugins install|uninstall|enable|disable|update|marketplace
    gemini|qwen extensions install|uninstall|update|link|enable|disable
    claude|codex|gemini|opencode|qwen --dangerously-skip-permissions|--yolo|--full-auto|--dangerously-bypass-approvals-and-sandbox
    set-executionpolicy|set-itemproperty|new-itemproperty|register-scheduledtask
    update-alternatives|alternatives
    ssh-copy-id|ssh-add
    gpg --delete-key|--delete-keys|--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key|--import
    keytool -delete|-importcert
    security delete-generic-password|add-generic-password|delete-keychain|add-trusted-cert
  `,
  stops: `
    systemctl stop|disable|mask|kill|isolate|poweroff|reboot|halt|emergency|rescue|revert|clean|restart
    service * stop
    launchctl unload|remove|bootout|kill|disable
    sc delete|stop|config
    brew services stop
    shutdown|reboot|poweroff|halt|init|telinit|stop-computer|restart-computer
    killall|pkill|taskkill|stop-process|skill
    pm2 delete|kill|stop
  `,
  mayDestroy: `
    iptables|ip6tables|nft|ufw|pfctl|netsh|firewall-cmd|ipmitool
    ip link|route|addr|address del|delete|flush|set
    lftp|ncftp|ftp|sftp
    ansible|ansible-playbook|salt|salt-ssh
    curl -T|--upload-file
    journalctl --vacuum-size|--vacuum-time|--vacuum-files
    logrotate -f|--force
    helm upgrade|install --force|--replace
    patch !--dry-run !--check !--version !--help
    hg import|patch|qpush
    svn patch
    quilt push
    stg import|push
    ln -f|--force
  `,
  runsPrograms: `
    rg --pre|--hostname-bin
    kubectl --kubeconfig
    sort --compress-program
    tar --to-command|--use-compress-program|--checkpoint-action|--rsh-command|--info-script|--new-volume-script
    tar -I|-F
    zip -TT|--unzip-command
    man -P|-H|--pager|--html
    go -exec|-toolexec|-vettool
    cargo --config
    cargo build|test|run|check|clippy|fmt|doc|bench|fix --config
    npm|pnpm|yarn --script-shell|--node-options|--init-module|--git|--shell|--editor|--viewer|--browser|--userconfig|--globalconfig
    npm|pnpm|yarn run|test|exec --script-shell
    rsync -e|--rsh|--rsync-path
    scp|sftp -S|-o
    ssh -o
    curl -K|--config
    wget --use-askpass|--config|-e|--execute
    mysql|mariadb --pager
    vim|vi|nvim|view|ex|ed|emacs|nano|gvim *
    gdb|lldb -ex|-x|--eval-command|--command|-o
    node|ts-node|tsx -r|--require|--import|--loader|--experimental-loader
    open|xdg-open|start|explorer|rundll32|regsvr32|mshta|wscript|cscript|msiexec|certutil|bitsadmin|wmic
    osascript -e
    expect -c
    invoke-expression|iex|invoke-command|icm|start-process|invoke-wmimethod|start-job
    nc|ncat|netcat|socat -e|-c|--exec|--sh-exec
    socat *
    screen -X
  `,
};

interface Entry {
  readonly kind: RiskKind;
  readonly verbs: readonly (readonly string[])[];
  /** Groups of options; of each group, one must be there. */
  readonly options: readonly (readonly string[])[];
  readonly harmless: readonly string[];
}

const entries = new Map<string, Entry[]>();
for (const [kind, text] of Object.entries(table)) {
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [programs = '', ...groups] = line.trim().split(/\s+/);
    const of = (pattern: RegExp) => groups.filter((group) => pattern.test(group)).map((group) => group.split('|'));
    const entry: Entry = {
      kind: kind as RiskKind,
      verbs: of(/^[^-/!]/),
      options: of(/^[-/]/),
      harmless: of(/^!/)
        .flat()
        .map((option) => option.slice(1)),
    };
    for (const program of programs.split('|')) entries.set(program, [...(entries.get(program) ?? []), entry]);
  }
}

/** A risk, and the words that a rule must contain to name it. */
export interface Danger {
  readonly kind: RiskKind;
  readonly marks: readonly string[];
}

/** A mark that no rule for a single command contains: only a rule that is exactly the whole line names it. */
export const onlyWholeLine = '\n';

/** Returns the dangers that the table has for a command. */
export function tableDangers(reading: Reading): readonly Danger[] {
  return (entries.get(reading.program) ?? []).flatMap((entry) => {
    const marks = marksOf(entry, reading);
    return marks ? [{ kind: entry.kind, marks: [reading.given, ...marks] }] : [];
  });
}

/** Returns whether the table knows the program. */
export function isInTable(program: string): boolean {
  return entries.has(program);
}

/** Returns the words that an entry is about; undefined if the command isn't what the entry describes. */
function marksOf({ verbs, options, harmless }: Entry, reading: Reading): readonly string[] | undefined {
  if (harmless.some((option) => reading.options.includes(option))) return undefined;
  const found: string[] = [];
  if (verbs[0]?.[0]?.startsWith('~') === true) {
    const names = verbs[0].map((name) => name.replace('~', ''));
    const word = reading.plain.slice(0, mostWords).find((one) => names.some((name) => isVerb(name, one)));
    if (word === undefined) return undefined;
    found.push(word);
  } else if (verbs.length > 0) {
    const at = verbsIn(verbs, reading);
    if (at === undefined) return undefined;
    found.push(...at);
  }
  for (const group of options) {
    const marks = optionsIn(group, reading.args);
    if (marks.length === 0) return undefined;
    found.push(...marks);
  }
  return [...new Set(found)];
}

function verbsIn(verbs: readonly (readonly string[])[], { plain, unsure }: Reading): readonly string[] | undefined {
  for (let start = 0; start <= unsure; start += 1) {
    const words = plain.slice(start, start + verbs.length);
    if (words.length < verbs.length) return undefined;
    if (verbs.every((names, index) => names.some((name) => name === '*' || isVerb(name, words[index] ?? ''))))
      return words.filter((_, index) => verbs[index]?.includes('*') !== true);
  }
  return undefined;
}

/** How many words of a command can be its verbs, where options and names may come first. */
const mostWords = 6;

function isVerb(name: string, word: string): boolean {
  return name.toLowerCase() === word.toLowerCase();
}

/** Returns the options of a group that a command has, as written but without attached values. */
export function optionsIn(group: readonly string[], words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return words
    .slice(0, end < 0 ? words.length : end)
    .filter((word) => group.some((option) => isOption(option, word)))
    .map((word) => word.replace(/^(--?[^=]*)=.*$/s, '$1'));
}

/** Returns whether a word is an option: also among others, abbreviated, or with a value. */
function isOption(option: string, word: string): boolean {
  if (option.startsWith('/')) return word.toLowerCase() === option || word.toLowerCase().startsWith(`${option}:`);
  if (!word.startsWith('-') || word === '-') return false;
  const name = word.replace(/=.*$/s, '');
  if (/^-[^-]$/.test(option)) return isAmong(option.slice(1), word);
  const plain = name.replace(/^--?/, '');
  const own = option.replace(/^--?/, '');
  if (/^-[^-]/.test(option)) return plain.toLowerCase() === own;
  // An abbreviation has at least one letter.
  return name.startsWith('--') && plain.length > 0 && own.startsWith(plain);
}

/** Returns whether a letter is among the options of a word such as `-xf`. */
function isAmong(letter: string, word: string): boolean {
  const letters = /^-([A-Za-z0-9]+)/.exec(word)?.[1] ?? '';
  return !word.startsWith('--') && letters.includes(letter);
}
