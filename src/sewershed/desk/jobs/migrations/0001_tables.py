"""Makes the tables of jobs and of kept lists."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('django_tasks_database', '0021_conditional_partial_index_ordering'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('head', models.TextField()),
                ('as_of', models.DateTimeField()),
                ('known_at', models.DateTimeField(null=True)),
                ('sees', models.TextField()),
                ('version', models.TextField()),
                ('made_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'kept_list',
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='job', serialize=False, to='django_tasks_database.dbtaskresult')),
                ('title', models.TextField()),
                ('wanted', models.TextField()),
                ('asked_at', models.DateTimeField()),
                ('done', models.BigIntegerField(default=0)),
                ('total', models.BigIntegerField(default=0)),
                ('said', models.TextField(default='')),
                ('url', models.TextField(default='')),
                ('text', models.TextField(default='')),
                ('is_unknown', models.BooleanField(default=False)),
                ('is_stopped', models.BooleanField(default=False)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'job',
                'indexes': [models.Index(fields=['wanted'], name='job_wanted')],
            },
        ),
        migrations.CreateModel(
            name='KeptLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.IntegerField()),
                ('program', models.TextField()),
                ('persons', models.TextField()),
                ('rule', models.TextField()),
                ('content', models.TextField()),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='jobs.keptlist')),
            ],
            options={
                'db_table': 'kept_line',
                'indexes': [models.Index(fields=['list', 'place'], name='kept_line_place')],
            },
        ),
    ]
